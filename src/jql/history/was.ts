import { changesOf } from '../../issues/issue-fields.ts';
import type { Change, FieldValue, Issue } from '../../model/issue.ts';
import type { Field } from '../fields/field.ts';
import type { FieldVisit, JqlWorld } from '../jql.ts';
import { type Condition, NO, type Truth, UNKNOWN, YES } from '../truth.ts';
import { metIn } from '../values/met.ts';
import type { Predicates } from './predicates.ts';
import { fits, isWanted, type Wanted } from './value-test.ts';
import { overlap, type Window } from './window.ts';

/**
 * Whether an issue had one of the wanted values within the window, from its creation until now, today's value
 * included. With BY, only values that such a person gave it count: what an issue was created with nobody changed.
 */
export function was(
  field: Field & { readonly history: string },
  wanted: Wanted,
  { window, by }: Pick<Predicates, 'window' | 'by'>,
  world: JqlWorld,
): Condition {
  const mayHaveBeen = formerly(field.history, wanted, world);
  return (issue) => {
    const visits = world.visitsOf(issue, field.history);
    let unknown = false;
    let told: readonly Change[] | null = null;
    const changes = () => {
      told ??= changesOf(issue, field.history);
      return told;
    };
    for (const [i, visit] of visits.entries()) {
      if (!overlap(window, instantsOf(visit, i === visits.length - 1))) continue;
      if (!visit.known) unknown = true;
      else {
        const truth = wasWanted(issue, visit, wanted, changes);
        // The change that opened it is lost, and may have called it otherwise.
        if (truth === NO && visits[i - 1]?.known === false && mayHaveBeen(visit.value)) unknown = true;
        if (truth === NO) continue;
        const opened = by === null ? [] : openers(issue, field.history, visit);
        if (by === null || opened.some(by)) {
          if (truth === YES) return YES;
          unknown = true;
        }
        // The change that opened it is lost: anybody may have made it.
        else if (opened.length === 0 && visits[i - 1]?.known === false) unknown = true;
      }
    }
    if (
      by === null &&
      visits.at(-1)?.known === false &&
      isWantedToday(issue, field, wanted, { window, world })
    )
      return YES;
    return unknown ? UNKNOWN : NO;
  };
}

/** The change that ended a visit may call its value otherwise than the one that opened it. */
function wasWanted(
  { created }: Issue,
  { value, end }: FieldVisit,
  wanted: Wanted,
  changes: () => readonly Change[],
): Truth {
  const truth = isWanted(value, wanted);
  if (truth === YES || value === null || wanted.tests.length === 0) return truth;
  const ended = changes().filter(({ at, from }) => Math.max(at, created) === end && from?.id === value.id);
  return ended.some(({ from }) => isWanted(from, wanted) === YES) ? YES : truth;
}

/** Whether a value was once called as is wanted, by some change of some issue. */
function formerly(
  field: string,
  { tests }: Wanted,
  { issues }: JqlWorld,
): (value: FieldValue | null) => boolean {
  const known = new Map<string, boolean>();
  return (value) => {
    if (value === null) return false;
    const { id } = value;
    const found =
      known.get(id) ??
      metIn(issues, field)
        .former.byName.entries()
        .some(([name, ids]) => ids.has(id) && fits({ id, name }, tests) === YES);
    known.set(id, found);
    return found;
  };
}

/** A visit of 0 ms was there all the same, and the last one still is. */
function instantsOf({ start, end }: FieldVisit, last: boolean): Window {
  return { from: start, until: last ? end + 1 : Math.max(end, start + 1) };
}

/** Who made the changes that opened a visit; a change before the creation happened at the creation. */
function openers(issue: Issue, field: string, { start, value }: FieldVisit): readonly (string | null)[] {
  return changesOf(issue, field)
    .filter((change) => Math.max(change.at, issue.created) === start && change.to?.id === value?.id)
    .map(({ by }) => by);
}

/** What the tracker shows last holds now, even where the history does not say so. */
function isWantedToday(
  issue: Issue,
  field: Field,
  wanted: Wanted,
  { window, world }: { readonly window: Window; readonly world: JqlWorld },
): boolean {
  const { now } = world;
  if (now < issue.updated || !overlap(window, { from: now, until: now + 1 })) return false;
  const content = field.read(issue);
  if (content === null || content === '') return wanted.empty;
  if (typeof content === 'symbol') return false;
  const value: FieldValue | undefined =
    typeof content === 'object'
      ? 'id' in content
        ? content
        : undefined
      : { id: String(content), name: String(content) };
  return value !== undefined && isWanted(value, wanted) === YES;
}
