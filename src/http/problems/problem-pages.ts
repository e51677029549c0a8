import { escapeHtml } from '../../kernel/html.js';
import { listStatuses, PROBLEM_CODES, type ProblemCode, statusFor, titleFor } from './problem-codes.js';
import { PROBLEM_TEXTS } from './problem-texts.js';
import { REPEATS } from './texts/problem-text.js';

/** Renders what a code means, what to do, and whether to repeat the request. */
export function renderProblem(code: ProblemCode, base: string): string {
  const { meaning, action, repeat } = PROBLEM_TEXTS[code];
  return `<p class="label"><a href="${base}/problems">Problems</a></p>
<h1>${toHtml(titleFor(code))}</h1>
<p class="label">Status ${listStatuses(code).join(' or ')} · <code>${code}</code></p>
<h2>What it means</h2>
<p>${toHtml(meaning)}</p>
<h2>What to do</h2>
<p>${toHtml(action)}</p>
<h2>Can the request be sent again?</h2>
<p>${toHtml(REPEATS[repeat])}</p>
<p class="note">The problem document describes this one request: <code>detail</code> and <code>errors</code> name the mistake, and
<code>request_id</code> names the request in the log of the service. See the
<a href="${base}/docs/guides/errors">guide to errors</a>.</p>`;
}

export function renderProblemList(base: string): string {
  const byStatus = Object.groupBy(Object.keys(PROBLEM_CODES) as ProblemCode[], (code) => String(statusFor(code)));
  const groups = Object.entries(byStatus).map(
    ([status, codes]) =>
      `<h2>Status ${status}</h2>\n<ul>\n${codes!.map((code) => renderItem(code, base)).join('\n')}\n</ul>`,
  );
  return `<h1>Problems</h1>
<p>Every error is a problem document with one of these codes. Its <code>type</code> is the address of the page about the code.</p>
${groups.join('\n')}`;
}

export function renderUnknownProblem(base: string): string {
  return `<h1>Unknown problem</h1>
<p>The service has no problem code with this name. <a href="${base}/problems">All problem codes</a></p>`;
}

function renderItem(code: ProblemCode, base: string): string {
  return `<li><a href="${base}/problems/${code}"><code>${code}</code></a> ${toHtml(titleFor(code))}</li>`;
}

/** Converts text to HTML. Text between back-ticks becomes code. */
function toHtml(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]*)`/g, '<code>$1</code>');
}
