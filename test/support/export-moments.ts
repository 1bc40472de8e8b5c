import type { ReportingApi } from '../../src/api/reporting/reporting-api.ts';
import type { ExportRecord } from '../../src/model/export.ts';
import type { IssueLines } from '../../src/model/table.ts';
import type { Work } from '../../src/store/work-kinds.ts';
import { until } from './local-exports.ts';

/**
 * What an export goes through, in order: kept in the queue; claimed; in the middle of its list; its file whole, but not
 * under its final name; under that, but not yet told the store; ended; the note of its delivery kept, but not shared;
 * shared; its delivery over.
 */
export const exportMoments = [
  'queued',
  'taken',
  'writing',
  'written',
  'renamed',
  'finished',
  'noted',
  'shared',
  'settled',
] as const;
export type ExportMoment = (typeof exportMoments)[number];

/** Told of each moment when it has just come, before anything else happens. */
export type Onlooker = (moment: ExportMoment) => void;

/** A store that tells what exports come to. Nobody may renew leases by the clock: one renewal stands for `written`. */
export function watchedStore(store: Work<ExportRecord>, come: Onlooker): Work<ExportRecord> {
  return {
    ...store,
    async change(...told) {
      const changes = await store.change(...told);
      if (changes.put?.some(({ state }) => state === 'Queued')) come('queued');
      return changes;
    },
    async claim(...told) {
      const record = await store.claim(...told);
      if (record?.state === 'Running') come('taken');
      return record;
    },
    async keep(id, lease, change, how) {
      let after: ExportMoment | null = null;
      const isKept = await store.keep(
        id,
        lease,
        (stored) => {
          const changed = change(stored);
          if (changed?.state === 'Running') come('written');
          else if (stored.state === 'Running') {
            come('renamed');
            after = 'finished';
          } else after = changed?.delivery?.pending ? 'noted' : 'settled';
          return changed;
        },
        how,
      );
      if (isKept && after !== null) come(after);
      return isKept;
    },
  };
}

/** A reporting port whose lists, before their last part, wait until something of their file is on the disk. */
export function watchedReporting(
  reporting: ReportingApi,
  isOnDisk: () => boolean,
  come: Onlooker,
): ReportingApi {
  return {
    ...reporting,
    async open(...told) {
      const reader = await reporting.open(...told);
      return {
        ...reader,
        async *lines() {
          let last: readonly IssueLines[] = [];
          for await (const part of reader.lines()) {
            yield last;
            last = part;
          }
          await until(isOnDisk);
          come('writing');
          yield last;
        },
      };
    },
  };
}
