import { z } from 'zod';
import type { Slack } from '../product/start-slack.ts';

const digestMark = z.object({
  event_type: z.literal('dwell_digest'),
  event_payload: z.object({ run: z.string(), part: z.string() }),
});

/** What Dwell has posted by itself, and how often. */
export interface Posted {
  /** Messages of digests by their period, such as `4f2a 1795964820000`. */
  readonly digests: ReadonlyMap<string, number>;
  /** Files by the key of the one issue in them. */
  readonly files: () => ReadonlyMap<string, number>;
  /** Alerts by the person who was notified. */
  readonly alerts: ReadonlyMap<string, number>;
}

/** Counts what is posted in a Slack from now on. */
export function watchPosted({ playground }: Slack): Posted {
  const digests = new Map<string, number>();
  const alerts = new Map<string, number>();
  const add = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  playground.listen((change) => {
    if (change.kind !== 'message' || !change.message.byApp || change.message.onlyFor !== undefined) return;
    const { channel, metadata } = change.message;
    const mark = digestMark.safeParse(metadata);
    if (mark.success) {
      const { run, part } = mark.data.event_payload;
      if (part === 'message') add(digests, run);
    } else if (channel.startsWith('D')) add(alerts, channel);
  });
  return {
    ...{ digests, alerts },
    files() {
      const found = new Map<string, number>();
      for (const { content } of playground.files())
        add(found, String(content).split('\n')[1]?.split(',')[0] ?? '');
      return found;
    },
  };
}

/** How often something was done twice or more, each time after the first. */
export function doubled(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count - 1, 0);
}
