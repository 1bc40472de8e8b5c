import {
  boards,
  groups,
  type JiraMode,
  levels,
  moreBoards,
  moreGroups,
  moreProjects,
  type ProjectOfCast,
  projects,
} from './stand-in-jira-cast.ts';
import { assignTo, levelled, moveInto, moveTo } from './stand-in-jira-changes.ts';
import {
  type ChangedField,
  type Era,
  entryId,
  generateIssue,
  type IssueNow,
  idOfNumber,
  numberOfId,
  outline,
  zoneOf,
} from './stand-in-jira-issue.ts';
import { createJiraJson, type JiraIssueJson } from './stand-in-jira-json.ts';

/** What a world is made from. `clock` is ours, epoch ms. */
export interface JiraWorldWish {
  readonly issues: number;
  readonly seed: number;
  /** Entries of the longest changelogs. */
  readonly longest?: number;
  readonly clock: () => number;
  readonly mode?: JiraMode;
  /** How long a change takes until searches find it. */
  readonly lagMs?: number;
  /** Where people browse it. */
  readonly site?: string;
  /** How many projects, boards and groups there are beside those of the cast. */
  readonly more?: { readonly projects?: number; readonly boards?: number; readonly groups?: number };
}

/** Where an issue stands in a search: by an instant, and among those of one instant by its number. */
export interface Place {
  readonly at: number;
  readonly number: number;
}

/** What the search index has of an issue that is no longer as it was generated. */
interface Indexed {
  readonly created: number;
  readonly updated: number;
  readonly present: boolean;
}

export type JiraWorld = ReturnType<typeof createJiraWorld>;

const YEAR = 365 * 86_400_000;

/** A first number for keys of moved issues that no generated issue has. */
const FIRST_MOVED = 50_000_000;

/** How many issues as they were generated are stored, so that a world can have many. */
const MAX_GENERATED = 3000;

/** Issues that are made from their numbers when they are needed; those that were changed are stored. */
export function createJiraWorld({
  issues,
  seed,
  longest = 400,
  clock,
  mode = 'cloud',
  lagMs = 0,
  site = mode === 'cloud' ? 'https://tallow.example' : 'https://issues.tallow.example/jira',
  more = {},
}: JiraWorldWish) {
  const until = clock() - 3_600_000;
  const era: Era = { seed, issues, longest, from: until - 2 * YEAR, until };
  const allProjects: readonly ProjectOfCast[] = [...projects, ...moreProjects(more.projects ?? 0)];
  const allBoards = [...boards, ...moreBoards(more.boards ?? 0)];
  const allGroups = [...groups, ...moreGroups(more.groups ?? 0)];
  const json = createJiraJson(mode, site, allProjects);
  const generated = new Map<number, IssueNow>();
  const changed = new Map<number, IssueNow>();
  const removed = new Set<number>();
  const movedKeys = new Map<string, number>();
  const index = new Map<number, Indexed>();
  const pending: { readonly due: number; readonly number: number; readonly entry: Indexed }[] = [];
  let added = 0;
  let moved = 0;
  let aheadMs = 0;
  let version = 0;
  const orders = new Map<
    'created' | 'updated',
    { readonly version: number; readonly places: readonly Place[] }
  >();

  const now = () => clock() + aheadMs;
  const count = () => issues + added;
  const exists = (number: number) => number >= 0 && number < count() && !removed.has(number);

  function issue(number: number): IssueNow {
    const known = changed.get(number) ?? generated.get(number);
    if (known !== undefined) return known;
    const made = generateIssue(era, number, mode);
    if (generated.size >= MAX_GENERATED) generated.clear();
    generated.set(number, made);
    return made;
  }

  function numberOf(idOrKey: string): number | null {
    if (/^\d+$/.test(idOrKey)) {
      const number = numberOfId(Number(idOrKey));
      return exists(number) ? number : null;
    }
    const key = idOrKey.toUpperCase();
    const known = movedKeys.get(key);
    if (known !== undefined) return exists(known) ? known : null;
    const [, project = '', digits = ''] = /^([A-Z][A-Z0-9]*)-(\d+)$/.exec(key) ?? [];
    const number = Number(digits) - 1;
    const isBorn = exists(number) && number < issues;
    return isBorn && outline(era, number).project.key === project ? number : null;
  }

  function found(idOrKey: string): number {
    const number = numberOf(idOrKey);
    if (number === null) throw new Error(`There is no issue ${idOrKey}.`);
    return number;
  }

  function take(number: number): IssueNow {
    const taken = issue(number);
    generated.delete(number);
    changed.set(number, taken);
    return taken;
  }

  /** Searches find it as it is from `lagMs` on, and until then as it was. */
  function reindex(number: number, present: boolean): void {
    const { created, updated } = brief(number);
    pending.push({ due: now() + lagMs, number, entry: { created, updated, present } });
    settle();
  }

  /** Which issue it is, without making all of it. */
  function brief(number: number): Pick<IssueNow, 'id' | 'key' | 'created' | 'updated' | 'zone'> {
    const kept = changed.get(number);
    if (kept !== undefined) return kept;
    const { created, updated, project } = outline(era, number);
    const key = `${project.key}-${number + 1}`;
    return { id: String(idOfNumber(number)), key, created, updated, zone: zoneOf(number) };
  }

  function settle(): void {
    for (let next = pending[0]; next !== undefined && next.due <= now(); next = pending[0]) {
      index.set(next.number, next.entry);
      pending.shift();
      version += 1;
    }
  }

  function place(by: 'created' | 'updated', number: number): Place {
    return { at: (index.get(number) ?? outline(era, number))[by], number };
  }

  /** Places of all issues that searches find, oldest first. */
  function order(by: 'created' | 'updated'): readonly Place[] {
    settle();
    const known = orders.get(by);
    if (known?.version === version) return known.places;
    const places = Array.from({ length: count() }, (_, number) => number)
      .filter((number) => index.get(number)?.present ?? number < issues)
      .map((number) => place(by, number))
      .sort(comparePlaces);
    orders.set(by, { version, places });
    return places;
  }

  function log(number: number, items: readonly ChangedField[], author = 0): void {
    const kept = take(number);
    const at = now();
    const place = kept.entries.length;
    kept.entries.push({ id: entryId(number, place), at, author, items });
    kept.updated = at;
    reindex(number, true);
  }

  function projectBy(key: string): ProjectOfCast {
    const project = allProjects.find((one) => one.key === key);
    if (project === undefined) throw new Error(`There is no project ${key}.`);
    return project;
  }

  function* numbers(): Generator<number> {
    for (let number = 0; number < count(); number += 1) if (exists(number)) yield number;
  }

  function whole(idOrKey: string): JiraIssueJson {
    const it = issue(found(idOrKey));
    const told = it.entries.map((entry) => json.entryOf(entry, it.zone));
    return {
      id: it.id,
      self: json.selfOf(it),
      key: it.key,
      fields: json.fieldsOf(it),
      changelog: {
        startAt: 0,
        maxResults: told.length,
        total: told.length,
        histories: mode === 'cloud' ? told.toReversed() : told,
      },
    };
  }

  return {
    mode,
    site,
    json,
    projects: allProjects,
    boards: allBoards,
    groups: allGroups,
    /** The tracker's clock. */
    now,
    /** Lets the tracker's clock run ahead of ours. */
    runAhead(ms: number): void {
      aheadMs = ms;
    },
    issue,
    brief,
    exists,
    numberOf,
    order,
    place,
    /** Project and level as they are, without making the whole issue. */
    standing(number: number): { readonly project: ProjectOfCast; readonly level: number | null } {
      return changed.get(number) ?? outline(era, number);
    },
    /** Ids of all issues, in the order of creation. */
    *ids(): Generator<string> {
      for (const number of numbers()) yield String(idOfNumber(number));
    },
    /** Keys of all issues, in the order of creation. */
    *keys(): Generator<string> {
      for (const number of numbers()) yield issue(number).key;
    },
    /** The full JSON with the whole changelog. */
    whole,
    /** Into the next status of its workflow. */
    transition(idOrKey: string): void {
      const number = found(idOrKey);
      const kept = take(number);
      log(number, moveTo(kept, nextStatus(kept), now()));
    },
    /** Goes on to the next status, and from whoever has it to this index of the cast, while `updated` stays as it was. */
    changeSilently(idOrKey: string, person: number | null, withEntries: boolean): void {
      const number = found(idOrKey);
      const kept = take(number);
      const items = [...moveTo(kept, nextStatus(kept), now()), ...assignTo(kept, person, mode)];
      const place = kept.entries.length;
      if (withEntries) kept.entries.push({ id: entryId(number, place), at: now(), author: 0, items });
    },
    /** Changes what leaves no entry; only `updated` tells. */
    edit(idOrKey: string): void {
      const number = found(idOrKey);
      const kept = take(number);
      kept.updated = now();
      reindex(number, true);
    },
    /** Answers these fields of it from now on, whatever they are; they leave no entry. */
    tells(idOrKey: string, fields: Readonly<Record<string, unknown>>): void {
      const number = found(idOrKey);
      const kept = take(number);
      kept.told = { ...kept.told, ...fields };
      kept.updated = now();
      reindex(number, true);
    },
    /** The new key; the old one goes on leading to the issue. */
    move(idOrKey: string, project: string): string {
      const number = found(idOrKey);
      const kept = take(number);
      const before = kept.key;
      moved += 1;
      const key = `${project}-${FIRST_MOVED + moved}`;
      movedKeys.set(before, number).set(key, number);
      log(number, moveInto(kept, projectBy(project), key, now()));
      return key;
    },
    remove(idOrKey: string): void {
      const number = found(idOrKey);
      reindex(number, false);
      removed.add(number);
      changed.delete(number);
    },
    /** Keys of the new issues, created now. */
    add(howMany = 1, project = projects[0].key): string[] {
      return Array.from({ length: howMany }, () => {
        const number = count();
        added += 1;
        const at = now();
        const made = generateIssue({ ...era, longest: 0 }, number, mode);
        const home = projectBy(project);
        const key = `${project}-${number + 1}`;
        movedKeys.set(key, number);
        changed.set(number, {
          ...made,
          key,
          project: home,
          status: home.workflow[0] ?? made.status,
          level: null,
          created: at,
          updated: at,
        });
        reindex(number, true);
        return key;
      });
    },
    /** `level` is the name of a security level; null: everybody who may browse the project. */
    restrict(idOrKey: string, level: string | null): void {
      const number = found(idOrKey);
      const place = levels.findIndex(({ name }) => name === level);
      if (level !== null && place < 0) throw new Error(`There is no level '${level}'.`);
      log(number, levelled(take(number), level === null ? null : place));
    },
  };
}

function nextStatus({ project: { workflow }, status }: IssueNow): string {
  return workflow[(workflow.indexOf(status) + 1) % workflow.length] ?? status;
}

export function comparePlaces(a: Place, b: Place): number {
  return a.at - b.at || a.number - b.number;
}
