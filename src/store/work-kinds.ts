import { millisecondsInDay, millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import type { DigestPeriod, DigestRun } from '../model/digest.ts';
import type { Delivery, ExportRecord } from '../model/export.ts';
import type { Instant } from '../model/issue.ts';
import type { Nudge } from '../model/nudge.ts';
import { ask } from '../model/request.ts';
import type { KindOfWork } from './work.ts';

/** An export whose file is to be made; one that has come to its end, and whose file is there until it is thrown away. */
export const TO_MAKE = 'make';
export const HAS_FILE = 'has file';

/** An export whose end is to be delivered by a door. */
export function toDeliver(door: Delivery['door']): string {
  return `deliver ${door}`;
}

/** Queued exports, the first of a principal before the others. */
export const exportWork: KindOfWork<ExportRecord> = {
  kind: 'export',
  planOf: (record) => ({
    id: record.id,
    owner: record.input.request.principal.account,
    open: openAs(record),
    plannedFor: record.createdAt,
  }),
  order: 'turns',
  maxLeaseMs: millisecondsInMinute,
  maxPauseMs: millisecondsInHour,
  // One that an older version stored lacks the choices that came later.
  complete: (record) => ({ ...record, input: { ...record.input, request: ask(record.input.request) } }),
};

function openAs({ state, delivery }: ExportRecord): string | null {
  if (state === 'Queued' || state === 'Running') return TO_MAKE;
  if (delivery?.pending) return toDeliver(delivery.door);
  return state === 'Successful' ? HAS_FILE : null;
}

/** A period of a digest that is to be posted; one that failed, and whose owner is to be notified of that. */
export const TO_POST = 'post';
export const TO_REPORT = 'report';

/** Periods that have come to their end, be it that their owner is to be notified. */
export const ENDED = [TO_REPORT, null];

/** Periods of digests. Those that have ended are in the order in which they were due. */
export const periodWork: KindOfWork<DigestPeriod> = {
  kind: 'digest-period',
  planOf: ({ run, plannedFor }) => ({
    id: periodId(run.digestId, run.due),
    owner: run.digestId,
    open: run.state === 'claimed' ? TO_POST : isUnreported(run) ? TO_REPORT : null,
    plannedFor: run.state === 'claimed' ? plannedFor : run.due,
  }),
  order: 'plan',
  maxLeaseMs: 10 * millisecondsInMinute,
  maxPauseMs: millisecondsInDay,
};

/** The id of a period, by its digest and when it was due. */
export function periodId(digestId: string, due: Instant): string {
  return `${digestId} ${due}`;
}

function isUnreported({ state, note }: DigestRun): boolean {
  return state === 'failed' && note.told === undefined;
}

/** An answer to a nudge that is to be delivered. */
export const TO_RETURN = 'return';

/** Nudges by the key of their issue, and the answers to them, which are delivered once. */
export const nudgeWork: KindOfWork<Nudge> = {
  kind: 'nudge',
  planOf: ({ id, key, at, answer, isReturned }) => ({
    id,
    owner: key,
    open: answer === null || isReturned ? null : TO_RETURN,
    plannedFor: at,
  }),
  order: 'plan',
  maxLeaseMs: 10 * millisecondsInMinute,
  maxPauseMs: millisecondsInHour,
};
