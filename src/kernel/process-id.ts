/** The name under which this process holds leases: its process id, its start time and a random part. */
export class ProcessId {
  constructor(readonly value: string) {}
}
