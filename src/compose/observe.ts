import { latestBackup } from '../api/backups/create-backups.ts';
import type { RestoreApi } from '../api/restore/create-restore.ts';
import type { AnswerTurns } from '../concurrency/answer-turns.ts';
import type { HttpCall } from '../http-client/http-client.ts';
import type { Outage } from '../model/error.ts';
import type { Instant } from '../model/issue.ts';
import type { OnSlackCall } from '../slack/app/slack-clients.ts';
import type { SlackDoor } from '../slack/create-slack-app.ts';
import type { EngineHooks } from '../store/sql/engine.ts';
import type { Store, TenantStore } from '../store/store.ts';
import { TO_MAKE, TO_POST, TO_RETURN, toDeliver } from '../store/work-kinds.ts';
import { type Meters, unmeasured } from '../telemetry/meters.ts';
import { measureProcess } from '../telemetry/process-meters.ts';
import { isTracing, recordSpan } from '../telemetry/tracing.ts';
import type { Config } from './config.ts';

/** The hooks by which the store is measured and traced, and given ones beside them. */
export function observeStore(meters: Meters, given: EngineHooks): EngineHooks {
  if (meters === unmeasured) return given;
  const { onStatement, onRetry } = given;
  return {
    onStatement(sql, values) {
      const before = onStatement?.(sql, values);
      const begun = performance.now();
      return (isFailed) => {
        const ms = performance.now() - begun;
        meters.statements({}, ms / 1000);
        if (isFailed) meters.statementErrors({}, 1);
        // Its first word, for the whole statement can have texts in it.
        if (isTracing()) recordSpan('store', { 'db.operation.name': /^\W*(\w+)/.exec(sql)?.[1] ?? '' }, ms);
        before?.(isFailed);
      };
    },
    onRetry(reason) {
      meters.busy({ reason }, 1);
      onRetry?.(reason);
    },
  };
}

/** The hook by which calls of other services are measured and traced. */
export function observeCalls(meters: Meters, tenant: string): (call: HttpCall) => void {
  return ({ service: name, endpoint, outcome, ms, remaining }) => {
    const service = name.replace(/^The /, '');
    meters.calls({ tenant, service, endpoint: endpoint ?? '', outcome }, 1);
    meters.callDuration({ tenant, service }, ms / 1000);
    if (remaining !== null) meters.quota({ tenant, service }, remaining);
    if (isTracing()) recordSpan('call', { service, endpoint: endpoint ?? '', outcome, tenant }, ms);
  };
}

/** The hook by which calls of Slack are measured and traced. */
export function observeSlack(meters: Meters, tenant: string): OnSlackCall {
  const onCall = observeCalls(meters, tenant);
  return ({ method, outcome, ms }) =>
    onCall({ service: 'Slack', endpoint: method, outcome, ms, remaining: null });
}

/** The parts of the doors that are measured when the metrics are read; null: not used. */
interface MeasuredDoors {
  readonly tenant: string;
  readonly waitingFor: () => Promise<string | null>;
  readonly turns: AnswerTurns;
  readonly redis: (() => Outage | null) | null;
  readonly slack: () => SlackDoor | null;
}

/** Measures what the doors know each time the metrics are read. */
export function measureDoors(
  meters: Meters,
  { tenant, waitingFor, turns, redis, slack }: MeasuredDoors,
): void {
  meters.atReading(async () => meters.ready({}, Number((await waitingFor()) === null)));
  meters.atReading(() => {
    const { count, longestMs } = turns.waiting();
    meters.queueItems({ tenant, queue: 'long_answers' }, count);
    meters.queueAge({ tenant, queue: 'long_answers' }, longestMs / 1000);
    if (redis !== null) meters.redisUp({}, Number(redis() === null));
    const door = slack();
    if (door !== null) meters.slackUp({ tenant }, Number(door.outage() === null));
  });
}

/** The parts of a started Dwell that are measured when the metrics are read. */
interface MeasuredDwell {
  readonly store: Pick<TenantStore, 'tenant' | 'exports' | 'periods' | 'nudges' | 'facts'>;
  readonly now: () => Instant;
  readonly version: string;
  readonly engine: 'sqlite' | 'postgres';
  readonly restore: RestoreApi;
  readonly connections: Store['connections'];
  readonly config: Pick<Config, 'dataDir'>;
}

/** Measures a started Dwell and its process each time the metrics are read; returns what ends it. */
export function measureDwell(
  meters: Meters,
  { store, now, version, engine, restore, connections, config }: MeasuredDwell,
): () => void {
  if (meters === unmeasured) return () => {};
  const { tenant } = store;
  measureQueues(meters, store, now);
  meters.atReading(async () => {
    meters.buildInfo({ version, node: process.version, engine }, 1);
    meters.postingPaused({ tenant }, Number(await restore.isPaused()));
    // A store that was moved to PostgreSQL has the fact of a former backup.
    const backup = engine === 'sqlite' ? await latestBackup(store) : null;
    if (backup !== null) meters.backupAge({ tenant }, Math.max(0, now() - backup.at) / 1000);
    for (const [state, count] of Object.entries(connections() ?? {})) meters.connections({ state }, count);
  });
  return measureProcess(meters, config.dataDir);
}

/** Measures the queues of a tenant each time the metrics are read, each by an index. */
function measureQueues(
  meters: Meters,
  { tenant, exports, periods, nudges }: Pick<TenantStore, 'tenant' | 'exports' | 'periods' | 'nudges'>,
  now: () => Instant,
): void {
  const queues = [
    ['exports', exports, TO_MAKE],
    ['export_deliveries', exports, toDeliver('slack')],
    ['digests', periods, TO_POST],
    ['nudges', nudges, TO_RETURN],
  ] as const;
  for (const [queue, work, kind] of queues) {
    meters.atReading(async () => {
      const at = now();
      const { count, first } = await work.due([kind], at);
      meters.queueItems({ tenant, queue }, count);
      meters.queueAge({ tenant, queue }, first === null ? 0 : Math.max(0, at - first) / 1000);
    });
  }
}
