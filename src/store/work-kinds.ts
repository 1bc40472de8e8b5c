import { millisecondsInDay, millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import type { Lease } from '../concurrency/leased-worker.ts';
import type { DigestPeriod, DigestRun } from '../model/digest.ts';
import type { Delivery, ExportRecord } from '../model/export.ts';
import type { Instant } from '../model/issue.ts';
import type { Nudge } from '../model/nudge.ts';
import { ask } from '../model/request.ts';

/** The part of a document that decides when it can be taken up; the rest of the document is opaque here. */
interface WorkPlan {
  readonly id: string;
  /** Owners take turns, or can be left alone while they are busy. */
  readonly owner: string;
  /** As what it can be taken up; null: it has come to its end. */
  readonly open: string | null;
  /** Its place in lists and in the order of what is to be done. */
  readonly plannedFor: Instant;
}

/** Documents of one kind that are worked on. */
export interface KindOfWork<Document> {
  readonly kind: string;
  readonly planOf: (document: Document) => WorkPlan;
  /**
   * The order of taking up: `turns`: what is planned first of the owner who was served least recently; `plan`: what is
   * planned first of all, and nothing before that time.
   */
  readonly order: 'turns' | 'plan';
  /** Leases and pauses that reach further (ms) were begun by a clock that has been set back since, and are over. */
  readonly maxLeaseMs: number;
  readonly maxPauseMs: number;
  /** Completes a document that an older version stored; left out: it is whole. */
  readonly complete?: (stored: Document) => Document;
}

/** A selection of documents: those that meet every given condition. */
export interface WhichWork {
  readonly ids?: readonly string[];
  readonly owner?: string;
  readonly owners?: readonly string[];
  /** The open states; null for documents that have ended. */
  readonly open?: readonly (string | null)[];
  /** Planned for an instant before, and after. */
  readonly plannedBefore?: Instant;
  readonly plannedAfter?: Instant;
  /** That no one works on at an instant. */
  readonly freeAt?: Instant;
}

/** Documents to be put, each as a whole, and documents to be removed. */
export interface WorkChanges<Document> {
  readonly put?: readonly Document[];
  readonly remove?: readonly Document[];
}

/**
 * Documents of one kind that processes claim, each under a lease. Changes are pure functions of the stored documents,
 * without another write in between. The effect of a resolved call survives the death of the process.
 */
export interface Work<Document> {
  get(id: string): Promise<Document | null>;
  /** The latest planned first; of those planned for the same instant the one added last. At most `count`. */
  list(which: WhichWork, count?: number): Promise<readonly Document[]>;
  /** Counts what is open as one of these and planned for no later than `now`; `first`: when the first of it was planned. */
  due(
    open: readonly string[],
    now: Instant,
  ): Promise<{ readonly count: number; readonly first: Instant | null }>;
  /** Puts and removes documents as `change` decides, even leased ones; an empty change writes nothing. */
  change(
    which: WhichWork,
    change: (found: readonly Document[]) => WorkChanges<Document>,
  ): Promise<WorkChanges<Document>>;
  /**
   * Takes up what no one works on at `now` and is open as one of these, but for what is owned by one of `resting`; `take`
   * makes of it what it is from then on. Null: there is nothing to do, which is found out without waiting for others.
   */
  claim(
    which: {
      readonly now: Instant;
      readonly open: readonly string[];
      readonly resting?: readonly string[];
    },
    lease: Lease,
    take: (stored: Document) => Document,
  ): Promise<Document | null>;
  /**
   * Keeps the lease, and puts what `change` makes of the document. False where the lease is lost or `change` says null: then
   * nothing has changed. Unless it is patient, it fails soon where others write.
   */
  keep(
    id: string,
    lease: Lease,
    change: (stored: Document) => Document | null,
    how?: { readonly isPatient: boolean },
  ): Promise<boolean>;
  /** The same to let go of it: no one takes it up before `notBefore`. */
  release(
    id: string,
    lease: { readonly holder: string; readonly notBefore: Instant },
    change: (stored: Document) => Document | null,
  ): Promise<boolean>;
}

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
