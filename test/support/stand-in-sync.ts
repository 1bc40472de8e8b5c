import type { ConsentApi, SyncApi, SyncOutcome } from '../../src/api/tracker/sync-api.ts';
import { createTrackerEvents } from '../../src/api/tracker/tracker-events.ts';
import { buildTracker } from '../../src/compose/build-tracker.ts';
import { AppError } from '../../src/model/error.ts';
import { noRequests, type SyncStatus } from '../../src/model/sync.ts';
import { fillText } from '../../src/output/sync-text.ts';

/** The secret of its webhooks. */
export const webhookSecret = 'a-secret-between-two';

/** A synchronisation whose first fill is done, at noon of 18 March 2026. */
export function aSync(more: Partial<SyncStatus> = {}): SyncStatus {
  const at = Date.parse('2026-03-18T12:00:00Z');
  return {
    site: 'https://example.atlassian.net',
    step: 'rests',
    filled: true,
    done: 16,
    total: 16,
    asOf: at - 120_000,
    startedAt: at - 86_400_000,
    comparedAt: at - 3_000_000,
    issues: 16,
    cutHistories: 0,
    clockAheadMs: 0,
    withheld: [],
    problem: null,
    requests: noRequests,
    ...more,
  };
}

/** What a run of it leads to: of two issues one was new, and five requests were needed. */
export function anOutcome(more: Partial<SyncOutcome> = {}): SyncOutcome {
  return {
    ...aSync(),
    came: { added: 1, updated: 1, removed: 0, requests: 5 },
    permissionsProblem: null,
    ...more,
  };
}

/** One whose first fill goes on. */
export const filling = aSync({
  ...{ step: 'fill', filled: false, done: 12_300, total: 50_000 },
  ...{ asOf: null, comparedAt: null, issues: 12_300 },
});

/** What a stand-in for Jira does; tests change it while Dwell runs. */
interface SyncWorld {
  status: SyncStatus | null;
  /** Runs when somebody asks for a turn. */
  run: SyncApi['run'];
  consent: ConsentApi | null;
  /** Ids of issues that something is said to have happened to. */
  readonly nudged: string[];
  /** How often a list was refused because of the fill. */
  refused: number;
}

/** The imported issues as if they were kept fresh from Jira, and the world in which they are. */
export function standInSync(more: Partial<SyncWorld> = {}) {
  const world: SyncWorld = {
    status: aSync(),
    run: async () => anOutcome(),
    consent: null,
    nudged: [],
    refused: 0,
    ...more,
  };
  const trackerBuilder: typeof buildTracker = async (config, parts) => {
    const built = await buildTracker({ ...config, tracker: 'file', live: null }, parts);
    return {
      ...built,
      async mirror() {
        const imported = await built.mirror();
        return {
          ...imported,
          tracker: async () => 'jira',
          filledAt: async () => world.status?.asOf ?? null,
          async table() {
            if (world.status?.filled === true) return imported.table();
            world.refused += 1;
            throw stillFilling(world.status);
          },
        };
      },
      sync: {
        status: async () => world.status,
        progress: async () => world.status,
        async *checkConnection() {},
        run: (wish, onProgress) => world.run(wish, onProgress),
        nudge: async (ids) => void world.nudged.push(...ids),
        start: () => {},
        stop: async () => {},
      },
      events: createTrackerEvents(
        {
          name: 'jira',
          webhooks: {
            ...{ setting: 'JIRA_WEBHOOK_SECRET', secret: webhookSecret },
            ...{ header: 'X-Hub-Signature', prefix: 'sha256=', readIds: idsOf },
          },
        },
        async (ids) => void world.nudged.push(...ids),
      ),
      consent: {
        url: async (redirectUri) => (await world.consent?.url(redirectUri)) ?? '',
        accept: async (answer) => {
          if (world.consent === null) throw new AppError('missing-right', 'Nobody was asked.');
          return world.consent.accept(answer);
        },
      },
    };
  };
  return { world, trackerBuilder };
}

function stillFilling(status: SyncStatus | null): AppError {
  return new AppError('service-unavailable', 'The issues are still being read from Jira.', [
    `So far: ${status === null ? 'none' : fillText(status)}.`,
  ]);
}

function idsOf(body: unknown): readonly string[] | null {
  if (typeof body !== 'object' || body === null || !('webhookEvent' in body)) return null;
  return 'issue' in body ? [String(body.issue)] : [];
}
