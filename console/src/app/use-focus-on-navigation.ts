import { useEffect, useRef } from 'react';

/** Moves the focus to the content when another page opens, so that Tab continues there and not after the followed link. */
export function useFocusOnNavigation(pathname: string, contentId: string): void {
  const known = useRef(pathname);
  useEffect(() => {
    if (known.current === pathname) return;
    known.current = pathname;
    document.getElementById(contentId)?.focus({ preventScroll: true });
  }, [pathname, contentId]);
}
