import { millisecondsInHour } from 'date-fns/constants';
import { createNamespace } from '../../cache/namespace.ts';
import type { Instant, Status } from '../../model/issue.ts';
import { isOwnDialect, type ReportAnswer } from './report-answer.ts';
import type { MetricSpelling } from './report-parameters.ts';

/** Statuses that were looked for are taken as they are for so long. */
const STATUSES_FOR_MS = millisecondsInHour;

/** What answers have told about the service behind; the first ones are asked without knowing. */
export interface Learnt {
  note(answer: ReportAnswer): void;
  /** On whose clocks the service reads and writes dates. */
  readonly timeZone: () => string;
  /** Null until an answer has told. */
  readonly dialect: () => 'own' | 'product' | null;
  /** The statuses any answer has told of. */
  readonly met: () => readonly Status[];
  /** All the statuses of a wide look, which is taken where the last one is old. */
  statuses(look: () => Promise<readonly Status[]>): Promise<readonly Status[]>;
  /** Statuses that were told beside any answer. */
  meet(statuses: readonly Status[]): void;
  /** In which spelling metrics were understood; null until some were. */
  readonly metricSpelling: () => MetricSpelling | null;
  keepMetricSpelling(spelling: MetricSpelling): void;
}

export function createLearnt(now: () => Instant, usualZone: string): Learnt {
  let timeZone = usualZone;
  let dialect: 'own' | 'product' | null = null;
  let metricSpelling: MetricSpelling | null = null;
  const looks = createNamespace<true>({
    ...{ name: 'tis-statuses-looked-for', ttlMs: STATUSES_FOR_MS, most: 1 },
    ...{ now, ages: 'answered' },
  });
  const met = new Map<string, Status>();
  const meet = (statuses: readonly Status[]) => {
    for (const status of statuses) met.set(status.id, status);
  };
  return {
    note(answer) {
      timeZone = answer.timeZone;
      dialect = isOwnDialect(answer) ? 'own' : 'product';
      meet([...answer.includedStatuses, ...answer.excludedStatuses, ...answer.deletedStatuses]);
    },
    timeZone: () => timeZone,
    dialect: () => dialect,
    meet,
    met: () => [...met.values()],
    async statuses(look) {
      await looks.getOrMake('', async () => {
        meet(await look());
        return true;
      });
      return [...met.values()];
    },
    metricSpelling: () => metricSpelling,
    keepMetricSpelling(spelling) {
      metricSpelling = spelling;
    },
  };
}
