import { type JiraMode, levels, type ProjectOfCast, projects } from './stand-in-jira-cast.ts';
import { assignTo, levelled, moveInto, moveTo } from './stand-in-jira-changes.ts';
import { generatedIssue } from './stand-in-jira-generated.ts';
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
}

/** Where an issue stands in a search. */
export interface Place {
  readonly at: number;
  readonly project: string;
  readonly number: number;
}

/** What the search index knows of an issue that is no longer as it was generated. */
interface Indexed {
  readonly created: number;
  readonly updated: number;
  readonly key: string;
  readonly present: boolean;
}

export type JiraWorld = ReturnType<typeof createJiraWorld>;

const YEAR = 365 * 86_400_000;

/** A first number for keys of moved issues that no generated issue has. */
const FIRST_MOVED = 50_000_000;

/**
 * Issues that are made from their number whenever somebody asks, so that a million of them need little memory; only
 * those that were changed are kept.
 */
export function createJiraWorld({
  issues,
  seed,
  longest = 400,
  clock,
  mode = 'cloud',
  lagMs = 0,
  site = mode === 'cloud' ? 'https://tallow.example' : 'https://issues.tallow.example/jira',
}: JiraWorldWish) {
  const until = clock() - 3_600_000;
  const era: Era = { seed, issues, longest, from: until - 2 * YEAR, until };
  const json = createJiraJson(mode, site);
  const changed = new Map<number, IssueNow>();
  const removed = new Set<number>();
  const movedKeys = new Map<string, number>();
  const index = new Map<number, Indexed>();
  const pending: { readonly due: number; readonly number: number; readonly entry: Indexed }[] = [];
  let added = 0;
  let moved = 0;
  let aheadMs = 0;
  let version = 0;
  const orders = new Map<'created' | 'updated', { readonly version: number; readonly order: Uint32Array }>();
  let generatedByUpdated: Uint32Array | null = null;
  let generatedUpdated: Float64Array | null = null;

  const now = () => clock() + aheadMs;
  const count = () => issues + added;
  const exists = (number: number) => number >= 0 && number < count() && !removed.has(number);

  function issue(number: number): IssueNow {
    return changed.get(number) ?? generatedIssue(era, number, mode);
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
    return exists(number) && number < issues && bornIn(number) === project ? number : null;
  }

  function bornIn(number: number): string {
    return outline(era, number).project.key;
  }

  function found(idOrKey: string): number {
    const number = numberOf(idOrKey);
    if (number === null) throw new Error(`There is no issue ${idOrKey}.`);
    return number;
  }

  function take(number: number): IssueNow {
    const kept = changed.get(number) ?? generateIssue(era, number, mode);
    changed.set(number, kept);
    return kept;
  }

  /** Searches find it as it is from `lagMs` on, and until then as it was. */
  function reindex(number: number, present: boolean): void {
    const { created, updated, key } = brief(number);
    const entry = { created, updated, key, present };
    if (lagMs === 0) index.set(number, entry);
    else {
      if (!index.has(number) && number < issues) {
        const before = outline(era, number);
        const bornAs = `${before.project.key}-${number + 1}`;
        index.set(number, { created, updated: before.updated, key: bornAs, present: true });
      }
      pending.push({ due: now() + lagMs, number, entry });
    }
    version += 1;
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
    while (pending[0] !== undefined && pending[0].due <= now()) {
      const { number, entry } = pending.shift() ?? pending[0];
      index.set(number, entry);
      version += 1;
    }
  }

  /** The key lets issues of one instant stand in an order. */
  function place(by: 'created' | 'updated', number: number): Place {
    const seen = index.get(number);
    if (by === 'updated' && seen === undefined && generatedUpdated !== null) {
      const at = generatedUpdated[number];
      if (at !== undefined) return { at, project: '', number: number + 1 };
    }
    if (seen === undefined) return { at: outline(era, number)[by], project: '', number: number + 1 };
    const [project = '', digits = '0'] = seen.key.split('-');
    return { at: seen[by], project, number: Number(digits) };
  }

  /** Numbers of all issues that searches find, oldest first. */
  function order(by: 'created' | 'updated'): Uint32Array {
    settle();
    const kept = orders.get(by);
    if (kept !== undefined && kept.version === version) return kept.order;
    const moving = [...index.keys()].filter((number) => index.get(number)?.present);
    const base = by === 'created' ? null : updatedOrder();
    const fresh = new Uint32Array(issues + moving.length);
    const late = moving.toSorted((a, b) => comparePlaces(place(by, a), place(by, b)));
    let size = 0;
    let next = 0;
    for (let i = 0; i < issues; i += 1) {
      const number = base?.[i] ?? i;
      if (index.has(number)) continue;
      if (next < late.length) {
        const here = place(by, number);
        for (let first = late[next]; first !== undefined; first = late[next]) {
          if (comparePlaces(place(by, first), here) > 0) break;
          fresh[size++] = first;
          next += 1;
        }
      }
      fresh[size++] = number;
    }
    for (const number of late.slice(next)) fresh[size++] = number;
    const made = fresh.subarray(0, size);
    orders.set(by, { version, order: made });
    return made;
  }

  function updatedOrder(): Uint32Array {
    if (generatedByUpdated !== null) return generatedByUpdated;
    const instants = Float64Array.from({ length: issues }, (_, number) => outline(era, number).updated);
    generatedUpdated = instants;
    generatedByUpdated = Uint32Array.from({ length: issues }, (_, number) => number).sort(
      (a, b) => (instants[a] ?? 0) - (instants[b] ?? 0) || a - b,
    );
    return generatedByUpdated;
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
    const project = projects.find((one) => one.key === key);
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
      self: json.selfOf(it, site),
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
    size: () => count() - removed.size,
    /** The full JSON with the whole changelog. */
    whole,
    /** Into the status of this id, or the next one of its workflow. */
    transition(idOrKey: string, status?: string): void {
      const number = found(idOrKey);
      const kept = take(number);
      const { workflow } = kept.project;
      const next = workflow[(workflow.indexOf(kept.status) + 1) % workflow.length] ?? kept.status;
      log(number, moveTo(kept, status ?? next, now()));
    },
    /** `person` is an index of the cast. */
    assign(idOrKey: string, person: number | null): void {
      const number = found(idOrKey);
      log(number, assignTo(take(number), person, mode));
    },
    /** Goes on to the next status, and from whoever has it to this index of the cast, while `updated` stays as it was. */
    changeSilently(idOrKey: string, person: number | null, withEntries: boolean): void {
      const number = found(idOrKey);
      const kept = take(number);
      const { workflow } = kept.project;
      const next = workflow[(workflow.indexOf(kept.status) + 1) % workflow.length] ?? kept.status;
      const items = [...moveTo(kept, next, now()), ...assignTo(kept, person, mode)];
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

/** By instant, then as keys stand in order. */
export function comparePlaces(a: Place, b: Place): number {
  return a.at - b.at || (a.project < b.project ? -1 : a.project > b.project ? 1 : a.number - b.number);
}
