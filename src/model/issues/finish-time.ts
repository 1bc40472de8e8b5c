import type { WorkKind } from '../flow.ts';
import type { Instant } from '../issue.ts';

/** The limits of a finish that is unknown: it was between two instants; and the reason. */
export interface UnknownFinishTime {
  readonly from: Instant;
  readonly until: Instant;
  /** `cut`: the history is; `step`: the history ends in another status; `status`: the kind of the last one left is unknown. */
  readonly why: 'cut' | 'step' | 'status';
}

/** The finish of an issue that is done; `at` null: it was created as done. */
type DoneSince = { readonly at: Instant | null } | { readonly unknown: UnknownFinishTime };

/** The facts from which the finish of an issue in a status that is done is read. */
interface DoneEvidence<Exit extends StatusExit> {
  readonly created: Instant;
  readonly asOf: Instant;
  /** The time of which its history says nothing; null where it is whole. */
  readonly lost: { readonly from: Instant; readonly until: Instant } | null;
  /** Its history ends in the status it is in. */
  readonly agrees: boolean;
  /** The exits from the statuses, as far as they are known. */
  readonly exits: readonly Exit[];
}

interface StatusExit {
  readonly at: Instant;
  /** The kind of the status that was left. */
  readonly kind: WorkKind;
}

/**
 * The finish of an issue that is in a status that is done: the instant it last left another one. So
 * one that was reopened and done again finished the second time, and one moved from Done to Closed the first time.
 */
export function doneSince<Exit extends StatusExit>({
  created,
  asOf,
  lost,
  agrees,
  exits,
}: DoneEvidence<Exit>): DoneSince {
  if (!agrees) {
    const why = lost === null ? 'step' : 'cut';
    return { unknown: { from: lost?.from ?? created, until: asOf, why } };
  }
  const left = exits.filter(({ kind }) => kind !== 'done');
  const last = latest(left);
  if (last === undefined) return lost === null ? { at: null } : { unknown: { ...lost, why: 'cut' } };
  // If two exits are at one instant, the later visit is unknown, and does not matter where one is known to be work.
  const work = latest(left.filter(({ kind }) => kind !== 'unknown'));
  if (work?.at === last.at) return { at: last.at };
  return { unknown: { from: work?.at ?? created, until: last.at, why: 'status' } };
}

/** The exit that came last. */
export function latest<Exit extends Pick<StatusExit, 'at'>>(exits: readonly Exit[]): Exit | undefined {
  return exits.reduce<Exit | undefined>(
    (last, exit) => (last === undefined || exit.at > last.at ? exit : last),
    undefined,
  );
}
