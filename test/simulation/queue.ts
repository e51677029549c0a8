interface Timed {
  readonly at: number;
}

/** A priority queue by time; a binary heap. */
export class PriorityQueue<T extends Timed> {
  private readonly heap: T[] = [];

  get first(): T | undefined {
    return this.heap[0];
  }

  push(item: T): void {
    let place = this.heap.push(item) - 1;
    for (let above = (place - 1) >> 1; place > 0 && this.heap[above]!.at > item.at; above = (place - 1) >> 1) {
      this.heap[place] = this.heap[above]!;
      place = above;
    }
    this.heap[place] = item;
  }

  shift(): T | undefined {
    const [first] = this.heap;
    const last = this.heap.pop();
    if (this.heap.length > 0) this.siftDown(last!);
    return first;
  }

  private siftDown(item: T): void {
    let place = 0;
    for (
      let below = this.findSmallerChild(0);
      below < this.heap.length && this.heap[below]!.at < item.at;
      below = this.findSmallerChild(place)
    ) {
      this.heap[place] = this.heap[below]!;
      place = below;
    }
    this.heap[place] = item;
  }

  private findSmallerChild(place: number): number {
    const left = 2 * place + 1;
    const right = left + 1;
    return right < this.heap.length && this.heap[right]!.at < this.heap[left]!.at ? right : left;
  }
}
