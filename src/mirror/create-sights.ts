import { AppError } from '../model/error.ts';
import type { Instant, Issue, User } from '../model/issue.ts';
import type { Asker } from '../model/request.ts';
import type { Sight } from '../model/sight.ts';
import type { Browsable, LevelledIssue, LiveTracker } from '../tracker/live-tracker.ts';
import { browsableOf } from './browsable-of.ts';

/** How long an answer of the tracker is good, as long as there is nothing it was not asked about. */
const KEPT_FOR_MS = 5 * 60_000;

/** How long it is good when there is. */
const ASKED_AGAIN_MS = 30_000;

/** Of so many askers answers are kept; of the others who asked longest ago is forgotten. */
const MOST_ASKERS = 300;

/** What sights are made of. `issues` are those that are here, also while the first fill goes on. */
export interface SightsParts {
  readonly tracker: Pick<LiveTracker, 'sightOf'>;
  readonly issues: () => Promise<readonly Issue[]>;
  readonly users: (ids: Iterable<string>) => Promise<ReadonlyMap<string, User>>;
  readonly now: () => Instant;
}

/**
 * What askers may browse. Fails as the tracker does when it cannot be asked. Who is not known to it sees nothing; of an
 * admin nothing is asked, as no sight closes anything to them.
 */
export type SightFor = (asker: Asker) => Promise<Sight>;

interface Kept {
  /** When the tracker was asked. */
  readonly at: Instant;
  readonly about: Browsable;
  readonly sight: Sight;
}

const nothing: Sight = { projects: new Set(), levelled: new Set() };

/** Asks the tracker what an asker may browse, once at a time for each, and keeps the answer for some minutes. */
export function createSights({ tracker, issues, users, now }: SightsParts): SightFor {
  const kept = new Map<string, Kept>();
  const asking = new Map<string, Promise<Sight>>();

  async function find(user: string): Promise<Sight> {
    const person = (await users([user])).get(user);
    if (person === undefined) return nothing;
    const known = kept.get(user) ?? null;
    if (known !== null && isYoungerThan(ASKED_AGAIN_MS, known)) return known.sight;
    const about = await browsableOf(await issues(), users);
    if (known === null || !isYoungerThan(KEPT_FOR_MS, known)) return ask(person, about);
    if (!hasMore(about, known.about)) return known.sight;
    return ask(person, about).catch((error: unknown) => {
      if (error instanceof AppError) return known.sight;
      throw error;
    });
  }

  async function ask(person: User, about: Browsable): Promise<Sight> {
    const at = now();
    const told = await tracker.sightOf(person, about);
    const before = kept.get(person.id)?.sight;
    // The same answer stays the same value: what was looked up by it is good for longer.
    const sight = before !== undefined && isSame(before, told) ? before : told;
    kept.delete(person.id);
    kept.set(person.id, { at, about, sight });
    if (kept.size > MOST_ASKERS) kept.delete(kept.keys().next().value ?? '');
    return sight;
  }

  /** A clock that was set back tells no age. */
  function isYoungerThan(ms: number, { at }: Kept): boolean {
    const age = now() - at;
    return age >= 0 && age < ms;
  }

  return async ({ user, admin }) => {
    if (admin) return nothing;
    const underWay =
      asking.get(user) ??
      find(user).finally(() => {
        asking.delete(user);
      });
    asking.set(user, underWay);
    return underWay;
  };
}

/** Whether there is a project now, or an issue with its level, that was not asked about then. */
function hasMore(now: Browsable, then: Browsable): boolean {
  if (now === then) return false;
  const projects = new Set(then.projects);
  const levelled = new Set(then.levelled.map(identity));
  return (
    now.projects.some((key) => !projects.has(key)) ||
    now.levelled.some((issue) => !levelled.has(identity(issue)))
  );
}

function identity({ key, level }: LevelledIssue): string {
  return `${key} ${level}`;
}

function isSame(one: Sight, other: Sight): boolean {
  return hasSame(one.projects, other.projects) && hasSame(one.levelled, other.levelled);
}

function hasSame(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  if (some.size !== others.size) return false;
  for (const one of some) if (!others.has(one)) return false;
  return true;
}
