import { millisecondsInMinute } from 'date-fns/constants';
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

interface Kept {
  /** When the tracker was asked about everything. */
  readonly at: Instant;
  /** When it was asked about what was new. */
  readonly moreAt: Instant;
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
  const kept = new Map<string, Kept>();
  const asking = new Map<string, Promise<BrowsePermissions>>();
  const renewing = new Map<string, Promise<unknown>>();

  async function find(user: string): Promise<BrowsePermissions> {
    const person = (await users([user])).get(user);
    if (person === undefined) return nothing;
    const known = kept.get(user) ?? null;
    if (known === null || !isYoungerThan(goodForMs(known), known.at)) return (await renew(person)).sight;
    if (!isYoungerThan(KEPT_FOR_MS, known.at)) renewBehind(person);
    if (isYoungerThan(ASKED_AGAIN_MS, known.moreAt)) return known.sight;
    const more = sinceThen(known.about, browsableOf(await issues()), known.sight);
    if (more === null) return known.sight;
    if (more.about.projects.length + more.about.singles.length === 0) {
      kept.set(user, { ...known, about: more.asked });
      return known.sight;
    }
    try {
      const moreAt = now();
      const found = await tracker.sightOf(person, await groupsOf(person), more.about);
      const latest = kept.get(user);
      // A whole new answer, found out meanwhile, tells of what is new as well.
      if (latest !== undefined && latest !== known) return latest.sight;
      return keep(person, { ...known, moreAt, about: more.asked, sight: withMore(known.sight, more, found) });
    } catch (error) {
      if (error instanceof AppError) return known.sight;
      throw error;
    }
  }

  /** One look at a time, whoever wants it. */
  function renew(person: User): Promise<{ readonly sight: BrowsePermissions }> {
    const underWay = renewing.get(person.id);
    if (underWay !== undefined) return underWay.then(() => kept.get(person.id) ?? { sight: nothing });
    const mine = askAll(person).finally(() => {
      renewing.delete(person.id);
    });
    renewing.set(person.id, mine);
    return mine.then((sight) => ({ sight }));
  }

  /** Whatever goes wrong meets the one who asks when the answer has become too old. */
  function renewBehind(person: User): void {
    if (!renewing.has(person.id)) renew(person).catch(() => {});
  }

  async function askAll(person: User): Promise<BrowsePermissions> {
    const at = now();
    const about: BrowsableIssues = browsableOf(await issues());
    const told = await tracker.sightOf(person, await groupsOf(person), about);
    const before = kept.get(person.id)?.sight;
    // The same answer stays the same value: what was looked up by it is good for longer.
    const sight = before !== undefined && isSame(before, told) ? before : told;
    return keep(person, { at, moreAt: at, about: askedAbout(about), sight });
  }

  function keep({ id }: User, one: Kept): BrowsePermissions {
    kept.delete(id);
    kept.set(id, one);
    if (kept.size > MOST_ASKERS) kept.delete(kept.keys().next().value ?? '');
    return one.sight;
  }

  async function groupsOf({ id }: User): Promise<readonly Group[]> {
    return (await groups()).filter(({ members }) => members.includes(id));
  }

  /** A clock that was set back tells no age. */
  function isYoungerThan(ms: number, at: Instant): boolean {
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

function goodForMs({ sight }: Kept): number {
  return sight.requests > MANY_REQUESTS ? DEAR_KEPT_FOR_MS : KEPT_FOR_MS;
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
