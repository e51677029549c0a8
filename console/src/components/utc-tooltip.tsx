import { useEffect, useRef } from 'react';

const EVENTS = ['mouseover', 'focusin'] as const;

/** Shows the UTC of the time that has the pointer or the focus. One for the page, because a list has many times. */
export function UtcTooltip() {
  const tooltip = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const show = ({ target }: Event) => place(tooltip.current!, findTime(target));
    const hide = ({ key }: KeyboardEvent) => key === 'Escape' && place(tooltip.current!, null);
    for (const name of EVENTS) document.addEventListener(name, show);
    document.addEventListener('keydown', hide);
    return () => {
      for (const name of EVENTS) document.removeEventListener(name, show);
      document.removeEventListener('keydown', hide);
    };
  }, []);
  return <div ref={tooltip} id="utc-tooltip" className="utc-tooltip" role="tooltip" hidden />;
}

function findTime(target: EventTarget | null): HTMLTimeElement | null {
  return target instanceof Element ? target.closest<HTMLTimeElement>('time[tabindex]') : null;
}

function place(tooltip: HTMLDivElement, time: HTMLTimeElement | null): void {
  tooltip.hidden = time === null;
  if (time === null) return;
  const { left, top } = time.getBoundingClientRect();
  tooltip.textContent = `${time.dateTime} (UTC)`;
  tooltip.style.left = `${Math.max(0, Math.min(left, window.innerWidth - tooltip.offsetWidth))}px`;
  tooltip.style.top = `${Math.max(0, top - tooltip.offsetHeight)}px`;
}
