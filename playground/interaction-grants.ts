import { Refusal } from './slack-refusal.ts';
import type { Message } from './workspace.ts';

/** Hands out and takes back trigger ids. */
export type Triggers = ReturnType<typeof createTriggers>;

/** Trigger ids: good once, and for three seconds. */
export function createTriggers({ now, newId, ms }: { now: () => number; newId: () => string; ms: number }) {
  const issued = new Map<string, { user: string; at: number; used: boolean }>();
  return {
    issue(user: string): string {
      const id = `${now()}.${newId()}`;
      issued.set(id, { user, at: now(), used: false });
      return id;
    },

    /** The person who caused the trigger. */
    redeem(id: string): string {
      const trigger = issued.get(id);
      if (!trigger) throw new Refusal('invalid_trigger_id');
      if (trigger.used) throw new Refusal('exchanged_trigger_id');
      if (now() - trigger.at > ms) throw new Refusal('expired_trigger_id');
      trigger.used = true;
      return trigger.user;
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
