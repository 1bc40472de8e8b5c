import type { TrackerEvents } from './tracker-events.ts';

/** Takes signed events; `secret` null: none. `readIds` tells which issues a body is about, null when it is no event. */
export function createTrackerEvents(_parts: {
  readonly secret: string | null;
  readonly readIds: (body: unknown) => readonly string[] | null;
  readonly nudge: (ids: readonly string[]) => void;
}): TrackerEvents {
  return {
    async receive() {
      throw new Error('to come');
    },
  };
}
