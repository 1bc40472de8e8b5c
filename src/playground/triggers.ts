import { Refusal } from './refusal.ts';

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
