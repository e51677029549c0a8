import { readStoredSession, type Session, setSession } from './session';

/** A tab that is open answers within a few milliseconds. */
const ANSWER_MS = 300;

type Message =
  | { readonly type: 'asked' }
  | { readonly type: 'answered'; readonly session: Session }
  | { readonly type: 'signed_out'; readonly credential: string };

/** The tabs of this origin in one browser. Nothing that is sent here is stored. */
const tabs = new BroadcastChannel('console-session');

/** Returns the session of another tab that stays after a reload, or null. */
export function findSharedSession(): Promise<Session | null> {
  return new Promise((resolve) => {
    const finish = (session: Session | null) => {
      clearTimeout(timer);
      tabs.removeEventListener('message', listen);
      resolve(session);
    };
    const listen = ({ data }: MessageEvent<Message>) => {
      if (data.type === 'answered') finish(data.session);
    };
    const timer = setTimeout(() => finish(null), ANSWER_MS);
    tabs.addEventListener('message', listen);
    send({ type: 'asked' });
  });
}

/** Answers new tabs with the session of this one, and signs out with the tab that signs out. */
export function shareSession(): void {
  tabs.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    const session = readStoredSession();
    if (session === null) return;
    if (data.type === 'asked') send({ type: 'answered', session });
    if (data.type === 'signed_out' && data.credential === session.credential) setSession(null);
  });
}

/** Signs out the tabs that share the session. */
export function endSharedSession({ credential }: Session): void {
  send({ type: 'signed_out', credential });
}

function send(message: Message): void {
  tabs.postMessage(message);
}
