import { Refusal } from './slack-json.ts';
import type { Message } from './workspace.ts';

/** Hands out and takes back trigger ids. */
export type Triggers = ReturnType<typeof createTriggers>;

/** A person, and the window of theirs in which they did something; the empty word is the only one there is. */
export interface Cause {
  readonly user: string;
  readonly tab: string;
}

/** Trigger ids: good once, and for three seconds. */
export function createTriggers({ now, newId, ms }: { now: () => number; newId: () => string; ms: number }) {
  const issued = new Map<string, Cause & { at: number; used: boolean }>();
  return {
    issue(cause: Cause): string {
      const id = `${now()}.${newId()}`;
      issued.set(id, { ...cause, at: now(), used: false });
      return id;
    },

    /** Who caused the trigger, and in which of their windows. */
    redeem(id: string): Cause {
      const trigger = issued.get(id);
      if (!trigger) throw new Refusal('invalid_trigger_id');
      if (trigger.used) throw new Refusal('exchanged_trigger_id');
      if (now() - trigger.at > ms) throw new Refusal('expired_trigger_id');
      trigger.used = true;
      return { user: trigger.user, tab: trigger.tab };
    },
  };
}

/** Where an answer through a response URL goes. */
export interface ResponseTarget {
  readonly user: string;
  readonly channel: string;
  /** The message whose button was pressed, where there is one. */
  readonly original?: Message;
  /** The command as it was typed, where one was. */
  readonly command?: string;
}

/** The response URLs handed out. */
export type ResponseUrls = ReturnType<typeof createResponseUrls>;

/** Response URLs: good for five uses within thirty minutes. */
export function createResponseUrls({
  now,
  newId,
  url,
  uses,
  ms,
}: {
  now: () => number;
  newId: () => string;
  url: () => string;
  uses: number;
  ms: number;
}) {
  const issued = new Map<string, { target: ResponseTarget; at: number; left: number }>();
  return {
    issue(target: ResponseTarget): string {
      const id = newId();
      issued.set(id, { target, at: now(), left: uses });
      return `${url().replace(/\/$/, '')}/playground/response/${id}`;
    },

    /** The target, or the word Slack refuses with. */
    use(id: string): ResponseTarget | 'expired_url' | 'used_url' {
      const entry = issued.get(id);
      if (!entry || now() - entry.at > ms) return 'expired_url';
      if (entry.left === 0) return 'used_url';
      entry.left -= 1;
      return entry.target;
    },
  };
}
