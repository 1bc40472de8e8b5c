import { millisecondsInMinute } from 'date-fns/constants';
import { createNamespace } from '../cache/namespace.ts';
import { singleFlight } from '../cache/single-flight.ts';
import type { Group } from '../model/directory.ts';
import { AppError } from '../model/error.ts';
import type { Instant, Issue, User } from '../model/issue.ts';
import type { BrowsePermissions } from '../model/permissions.ts';
import type { Asker } from '../model/request.ts';
import type { FoundSight, LiveTracker } from '../trackers/live-tracker.ts';
import { type AskedAbout, askedAbout, sinceThen, withMore } from './asked-about.ts';
import { type BrowsableIssues, browsableOf } from './browsable-of.ts';

/** How long an answer of the tracker is good without another look, as long as there is nothing it was not asked about. */
const KEPT_FOR_MS = 5 * millisecondsInMinute;

/** How long an answer that took many requests is good, while another look is taken behind the asker's back. */
const DEAR_KEPT_FOR_MS = 15 * millisecondsInMinute;
const MANY_REQUESTS = 50;

/** How long what is new stays closed. */
const ASKED_AGAIN_MS = 30_000;

/** Of so many askers answers are kept; of the others who asked longest ago is forgotten. */
const MOST_ASKERS = 300;

/** What sights are made of. `issues` are those that are here, also while the first fill goes on. */
export interface SightsParts {
  readonly tracker: Pick<LiveTracker, 'sightOf'>;
  readonly issues: () => Promise<readonly Issue[]>;
  readonly users: (ids: Iterable<string>) => Promise<ReadonlyMap<string, User>>;
  readonly groups: () => Promise<readonly Group[]>;
  readonly now: () => Instant;
}

/**
 * What askers may browse. Fails as the tracker does when it cannot be asked. Who is not known to it sees nothing; of an
 * admin nothing is asked, as no sight closes anything to them.
 */
export type SightFor = (asker: Asker) => Promise<BrowsePermissions>;

/** What the tracker said about everything, and since then about what was new. */
interface Found {
  readonly whole: FoundSight;
  readonly about: AskedAbout;
}

interface Latest {
  /** When the tracker was asked about what was new. */
  readonly at: Instant;
  readonly about: AskedAbout;
  readonly sight: FoundSight;
}

const nothing: BrowsePermissions = {
  projects: new Set(),
  closedProjects: new Set(),
  issues: new Set(),
  unasked: 0,
};

/** Asks the tracker what an asker may browse, once at a time for each, and keeps the answer for some minutes. */
export function createSights({ tracker, issues, users, groups, now }: SightsParts): SightFor {
  const permissions = createNamespace<Found>({
    name: 'browse-permissions',
    ttlMs: ({ whole }) => (whole.requests > MANY_REQUESTS ? DEAR_KEPT_FOR_MS : KEPT_FOR_MS),
    freshMs: KEPT_FOR_MS,
    most: MOST_ASKERS,
    now,
  });
  const asking = singleFlight<BrowsePermissions>();
  /** The last answer for each asker, also where it has expired. */
  const last = new Map<string, Found>();
  const later = new WeakMap<Found, Latest>();

  async function find(user: string): Promise<BrowsePermissions> {
    const person = (await users([user])).get(user);
    if (person === undefined) return nothing;
    const found = await permissions.getOrMake(user, () => askAll(person));
    const known = later.get(found);
    if (known === undefined || isYoungerThan(ASKED_AGAIN_MS, known.at)) return known?.sight ?? found.whole;
    const more = sinceThen(known.about, browsableOf(await issues()), known.sight);
    if (more === null) return known.sight;
    if (more.about.projects.length + more.about.singles.length === 0) {
      later.set(found, { ...known, about: more.asked });
      return known.sight;
    }
    try {
      const at = now();
      const added = await tracker.sightOf(person, await groupsOf(person), more.about);
      const newest = last.get(user);
      // A whole new answer, found out meanwhile, tells of what is new as well.
      if (newest !== undefined && newest !== found) return later.get(newest)?.sight ?? newest.whole;
      const sight = withMore(known.sight, more, added);
      later.set(found, { at, about: more.asked, sight });
      return sight;
    } catch (error) {
      if (error instanceof AppError) return known.sight;
      throw error;
    }
  }

  async function askAll(person: User): Promise<Found> {
    const at = now();
    const browsable: BrowsableIssues = browsableOf(await issues());
    const told = await tracker.sightOf(person, await groupsOf(person), browsable);
    const before = last.get(person.id);
    const sightBefore = before === undefined ? undefined : later.get(before)?.sight;
    // The same answer stays the same value: what was looked up by it is good for longer.
    const whole = sightBefore !== undefined && isSame(sightBefore, told) ? sightBefore : told;
    const found = { whole, about: askedAbout(browsable) };
    later.set(found, { at, about: found.about, sight: whole });
    last.delete(person.id);
    last.set(person.id, found);
    if (last.size > MOST_ASKERS) for (const oldest of last.keys().take(1)) last.delete(oldest);
    return found;
  }

  async function groupsOf({ id }: User): Promise<readonly Group[]> {
    return (await groups()).filter(({ members }) => members.includes(id));
  }

  /** A clock that was set back tells no age. */
  function isYoungerThan(ms: number, at: Instant): boolean {
    const age = now() - at;
    return age >= 0 && age < ms;
  }

  return async ({ user, admin }) => (admin ? nothing : asking.run(user, () => find(user)));
}

function isSame(one: FoundSight, other: FoundSight): boolean {
  return (
    one.unasked === other.unasked &&
    one.requests > MANY_REQUESTS === other.requests > MANY_REQUESTS &&
    (['projects', 'closedProjects', 'partly', 'issues'] as const).every((part) =>
      hasSame(one[part], other[part]),
    )
  );
}

function hasSame(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  if (some.size !== others.size) return false;
  for (const one of some) if (!others.has(one)) return false;
  return true;
}
