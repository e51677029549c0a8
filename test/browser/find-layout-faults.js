// Runs inside a page, as the text of this file. Its value is the list of layout faults in the visible part of the page.
(() => {
  const BODY_TEXT = 'p, li, dd';
  /** The least width of body text, in characters, and the width of an average character in relation to the font. */
  const LEAST_WIDTH = 30;
  const CHARACTER_EM = 0.5;
  /** The least average length of the lines of a longer title or cell, in characters. */
  const SHORT_TEXTS = 'td, th, h1, h2, h3, h4';
  const LEAST_LENGTH = 8;
  const LONG_TITLE = 24;
  /** Longer words may break. */
  const LONGEST_WHOLE_WORD = 16;
  /** Texts may touch. */
  const OVERLAP_PX = 3;

  const root = document.documentElement;
  const quote = (text) => `"${text.trim().replace(/\s+/g, ' ').slice(0, 40)}"`;
  const isShown = (rect) => rect.width > 1 && rect.height > 1;

  /** Counts the lines of these rectangles: texts of several sizes may share a line. */
  function countLines(rects) {
    let [lines, bottom] = [0, -Infinity];
    for (const rect of [...rects].filter(isShown).sort((a, b) => a.top - b.top)) {
      if ((rect.top + rect.bottom) / 2 <= bottom) continue;
      lines++;
      bottom = rect.bottom;
    }
    return lines;
  }

  function intersect(a, b) {
    const [left, top] = [Math.max(a.left, b.left), Math.max(a.top, b.top)];
    const [right, bottom] = [Math.min(a.right, b.right), Math.min(a.bottom, b.bottom)];
    return { left, top, right, bottom, width: right - left, height: bottom - top };
  }

  /** The part of the window in which the content of an element can be seen. */
  function clipOf(element) {
    let clip = { left: 0, top: 0, right: root.clientWidth, bottom: window.innerHeight };
    for (let at = element; at !== null && at !== root; at = at.parentElement)
      if (getComputedStyle(at).overflow !== 'visible') clip = intersect(clip, at.getBoundingClientRect());
    return clip;
  }

  /** The element above the page in which a text stands: a dialog, a menu, a header that stays. */
  function layerOf(element) {
    for (let at = element; at !== null; at = at.parentElement)
      if (['fixed', 'sticky'].includes(getComputedStyle(at).position) || at.tagName === 'DIALOG') return at;
    return null;
  }

  function* listTexts() {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { currentNode: node } = walker;
      const element = node.parentElement;
      if (node.data.trim() === '' || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
        continue;
      if (['OPTION', 'NOSCRIPT', 'SCRIPT', 'STYLE', 'TEXTAREA'].includes(element.tagName)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const clip = clipOf(element);
      const rects = [...range.getClientRects()].map((rect) => intersect(rect, clip)).filter(isShown);
      if (rects.length > 0) yield { node, element, rects, layer: layerOf(element) };
    }
  }

  const texts = [...listTexts()];

  const sideways =
    root.scrollWidth > root.clientWidth ? [`the page scrolls sideways: ${root.scrollWidth} > ${root.clientWidth}`] : [];

  const closest = (selector) => [
    ...new Set(texts.map(({ element }) => element.closest(selector)).filter((found) => found !== null)),
  ];

  const narrowTexts = closest(BODY_TEXT).flatMap((element) => {
    if (element.closest('td, th, nav, button') !== null || element.innerText.trim().length <= 2 * LEAST_WIDTH)
      return [];
    const characters = element.clientWidth / (CHARACTER_EM * parseFloat(getComputedStyle(element).fontSize));
    return characters < LEAST_WIDTH ? [`narrow text (${Math.round(characters)}): ${quote(element.innerText)}`] : [];
  });

  const shortLines = closest(SHORT_TEXTS).flatMap((element) => {
    const text = element.innerText.trim();
    const range = document.createRange();
    range.selectNodeContents(element);
    const length = text.length / countLines(range.getClientRects());
    return text.length > LONG_TITLE && /\s/.test(text) && length < LEAST_LENGTH
      ? [`short lines (${Math.round(length)}): ${quote(text)}`]
      : [];
  });

  const brokenWords = texts.flatMap(({ node }) =>
    [...node.data.matchAll(/(?<![\w@./:-])\p{L}+(?![\w@./:-])/gu)].flatMap(({ 0: word, index }) => {
      if (word.length < 2 || word.length > LONGEST_WHOLE_WORD) return [];
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      return countLines(range.getClientRects()) > 1 ? [`broken word: ${quote(word)} in ${quote(node.data)}`] : [];
    }),
  );

  const rects = texts.flatMap((text) => text.rects.map((rect) => ({ ...rect, text }))).sort((a, b) => a.top - b.top);
  const overlaps = rects.flatMap((a, i) => {
    const found = [];
    for (let j = i + 1; j < rects.length && rects[j].top < a.bottom - OVERLAP_PX; j++) {
      const b = rects[j];
      const { width, height } = intersect(a, b);
      if (a.text === b.text || a.text.layer !== b.text.layer || width <= OVERLAP_PX || height <= OVERLAP_PX) continue;
      found.push(`overlap: ${quote(a.text.node.data)} and ${quote(b.text.node.data)}`);
    }
    return found;
  });

  return [...sideways, ...narrowTexts, ...shortLines, ...brokenWords, ...overlaps];
})();
