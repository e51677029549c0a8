import { CopyButton } from '@mantine/core';

/** A button that copies a text. `label` names the text for readers of the screen. */
export function Copy({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <button
          type="button"
          className="copy"
          aria-label={copied ? 'Copied' : `Copy ${label}`}
          title={copied ? 'Copied' : `Copy ${label}`}
          onClick={(event) => {
            event.stopPropagation();
            copy();
          }}
        >
          {copied ? <CheckIcon /> : <CopyIcon />}
        </button>
      )}
    </CopyButton>
  );
}

/** An id with its copy button. */
export function Id({ value }: { readonly value: string }) {
  return (
    <span className="id">
      <span className="break" title={value}>
        {value}
      </span>
      <Copy text={value} label={value} />
    </span>
  );
}

function CopyIcon() {
  return (
    <svg viewBox="0 0 16 16" width="14" height="14" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden>
      <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
      <path d="M10.5 5.5v-2a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2" />
    </svg>
  );
}

function CheckIcon() {
  return (
    <svg viewBox="0 0 16 16" width="14" height="14" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden>
      <path d="m3 8.5 3.5 3.5L13 4.5" />
    </svg>
  );
}
