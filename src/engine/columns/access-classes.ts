import type { FieldValue, Issue } from '../../model/issue.ts';
import {
  type FieldwiseIssue,
  levelOf,
  projectKeyOf,
  restrictionOf,
  rolesOf,
} from '../../model/issues/issue-fields.ts';
import { type MentionedNews, SeenTerms } from '../../model/issues/single-mentions.ts';

/**
 * Issues that are the same to permissions but for their people: of one project and with the same restriction. With it goes
 * what these issues mention, so that people learn only of what the issues they can see mention.
 */
export interface AccessClass {
  /** The key's part before the number, as it is spelled there. */
  readonly projectKey: string;
  /** The restriction that closes these issues to people who can see their project; null if there is none. */
  readonly restriction: string | null;
  /** Id of the security level, or null. */
  readonly level: string | null;
  /** Ids of the roles the issues are restricted to, or null. */
  readonly roles: string | null;
  /** The number of issues in it now. */
  issues: number;
  /** Ids of the fields these issues have. */
  fields: Mentions<string>;
  /** Ids of the fields their changes mention. */
  changed: Mentions<string>;
  /** Ids of the people who made changes. */
  authors: Mentions<string>;
  /** `id\nname` of the values in lists, of whatever field. */
  listed: Mentions<string>;
  /** Projects (id and name) these issues say they are in: equal ones are the same object. */
  projects: Mentions<FieldValue>;
  /** The number of issues that have left it since its mentions were last confirmed by the issues that stay. */
  left: number;
}

/** The fields, values and people that an issue mentions, or those of them that are not noted yet. */
interface Mentioned extends MentionedNews, Pick<Issue, 'project'> {}

/** The classes of the issues of one tracker, each under a small number. */
export class AccessClasses {
  readonly all: AccessClass[] = [];
  readonly #codes = new Map<string, number>();
  /** Projects by `id\nname`. */
  readonly #projects = new Map<string, FieldValue>();
  /** By class. */
  readonly #seen = new Map<number, SeenTerms>();

  /** Returns true where people who see a class see an issue too: it is of the same project and has no other restriction. */
  covers(code: number, issue: Issue | FieldwiseIssue): boolean {
    const { projectKey, level, roles } = this.all[code] ?? {};
    const isSame = level === levelOf(issue) && roles === rolesOf(issue);
    return projectKey === projectKeyOf(issue) && (isSame || restrictionOf(issue) === null);
  }

  /** Returns true where an issue is in a class. */
  isOf(code: number, issue: Issue): boolean {
    const { projectKey, level, roles } = this.all[code] ?? {};
    return projectKey === projectKeyOf(issue) && level === levelOf(issue) && roles === rolesOf(issue);
  }

  /** The class of an issue, made if there is none yet. */
  codeOf(issue: Issue): number {
    const projectKey = projectKeyOf(issue);
    const [level, roles] = [levelOf(issue), rolesOf(issue)];
    const text = textOf({ projectKey, level, roles });
    const known = this.#codes.get(text);
    if (known !== undefined) return known;
    return this.add(text, {
      projectKey,
      restriction: restrictionOf(issue),
      level,
      roles,
      issues: 0,
      ...noFacts(),
      left: 0,
    });
  }

  /** The terms that are noted for a class already, so that they need not be read again. */
  seen(code: number, hasValues: (field: string) => boolean): SeenTerms {
    const known = this.#seen.get(code);
    if (known !== undefined) return known;
    const seen = new SeenTerms(hasValues);
    this.#seen.set(code, seen);
    return seen;
  }

  /** Has all that issues of a class mention noted again. */
  forgetSeen(code: number): void {
    this.#seen.delete(code);
  }

  /** Has all that issues mention noted again. */
  forgetAllSeen(): void {
    this.#seen.clear();
  }

  /** Notes for a class what an issue of it mentions; `id`: its id in the store. */
  note(code: number, id: number, { project, fields, listed, changes }: Mentioned): void {
    const facts = this.all[code];
    if (facts === undefined) return;
    facts.projects.note(this.#projectLike(project), id);
    for (const field of fields) facts.fields.note(field, id);
    for (const value of listed) facts.listed.note(textOfValue(value), id);
    for (const { field, by } of changes) {
      facts.changed.note(field, id);
      if (by !== null) facts.authors.note(by, id);
    }
  }

  /** An issue has come into a class. */
  enter(code: number): void {
    const facts = this.all[code];
    if (facts !== undefined) facts.issues += 1;
  }

  /** An issue has left a class. False where it was the last one, so that nothing is known of the class any more. */
  leave(code: number): boolean {
    const facts = this.all[code];
    if (facts === undefined) return true;
    facts.issues -= 1;
    facts.left += 1;
    if (facts.issues > 0) return true;
    Object.assign(facts, noFacts());
    this.#seen.delete(code);
    return false;
  }

  /** Doubts what is known of a class by an issue, which has left it or is noted once more. */
  doubt(code: number, id: number): void {
    for (const some of this.mentionsOf(code)) if (some.doubt(id)) this.#seen.delete(code);
  }

  /** The mentions of a class, one for each kind of thing. */
  mentionsOf(code: number): readonly SomeMentions[] {
    const facts = this.all[code];
    if (facts === undefined) return [];
    return [facts.fields, facts.changed, facts.authors, facts.listed, facts.projects];
  }

  #projectLike(project: FieldValue): FieldValue {
    const text = textOfValue(project);
    const known = this.#projects.get(text);
    if (known === undefined) this.#projects.set(text, project);
    return known ?? project;
  }

  /** All of it as plain JSON, from which `fromJson` makes it again. */
  toJson(): readonly StoredClass[] {
    return this.all.map(({ fields, changed, authors, listed, projects, ...others }) => ({
      ...others,
      fields: fields.entries(),
      changed: changed.entries(),
      authors: authors.entries(),
      listed: listed.entries(),
      projects: projects.entries(),
    }));
  }

  static fromJson(json: readonly StoredClass[]): AccessClasses {
    const classes = new AccessClasses();
    for (const { fields, changed, authors, listed, projects, ...others } of json) {
      classes.add(textOf(others), {
        ...others,
        fields: new Mentions(fields),
        changed: new Mentions(changed),
        authors: new Mentions(authors),
        listed: new Mentions(listed),
        projects: new Mentions(projects.map(([project, by]) => [classes.#projectLike(project), by])),
      });
    }
    return classes;
  }

  private add(text: string, facts: AccessClass): number {
    const code = this.all.push(facts) - 1;
    this.#codes.set(text, code);
    return code;
  }
}

function noFacts(): Pick<AccessClass, 'fields' | 'changed' | 'authors' | 'listed' | 'projects'> {
  return {
    fields: new Mentions<string>(),
    changed: new Mentions<string>(),
    authors: new Mentions<string>(),
    listed: new Mentions<string>(),
    projects: new Mentions<FieldValue>(),
  };
}

/** A level and a role may have the same id. */
function textOf({ projectKey, level, roles }: Pick<AccessClass, 'projectKey' | 'level' | 'roles'>): string {
  return JSON.stringify([projectKey, level, roles]);
}

/** Ids are unique within a field only. */
function textOfValue({ id, name }: FieldValue): string {
  return `${id}\n${name}`;
}

type Stored<Thing> = readonly (readonly [Thing, number])[];

/** An access class as it lies in a snapshot. */
export interface StoredClass
  extends Pick<AccessClass, 'projectKey' | 'restriction' | 'level' | 'roles' | 'issues' | 'left'> {
  readonly fields: Stored<string>;
  readonly changed: Stored<string>;
  readonly authors: Stored<string>;
  readonly listed: Stored<string>;
  readonly projects: Stored<FieldValue>;
}

/** No issue that is still there is known to mention it. */
const NOBODY = 0;

/**
 * The things that some issues mention, each with the id (in the store) of one issue that does. As long as that one
 * stays and mentions it, nothing has to be looked up; after that the thing is in doubt, until another issue is noted
 * for it.
 */
export class Mentions<Thing> {
  readonly #by = new Map<Thing, number>();
  readonly #thingsOf = new Map<number, Set<Thing>>();
  readonly #doubted = new Set<Thing>();
  /** Things in doubt that are looked for in all issues. */
  readonly #sought = new Set<Thing>();

  constructor(entries: Iterable<readonly [Thing, number]> = []) {
    for (const [thing, id] of entries) {
      if (id !== NOBODY) this.note(thing, id);
      else {
        this.#by.set(thing, NOBODY);
        this.#doubted.add(thing);
      }
    }
  }

  get size(): number {
    return this.#by.size;
  }

  /** The number of things that are looked for and were not found yet. */
  get sought(): number {
    return this.#sought.size;
  }

  has(thing: Thing): boolean {
    return this.#by.has(thing);
  }

  [Symbol.iterator](): IterableIterator<Thing> {
    return this.#by.keys();
  }

  values(): IterableIterator<Thing> {
    return this.#by.keys();
  }

  /** The entries from which `constructor` makes the same mentions. */
  entries(): readonly (readonly [Thing, number])[] {
    return [...this.#by];
  }

  note(thing: Thing, id: number): void {
    const by = this.#by.get(thing);
    if (by !== undefined && by !== NOBODY) return;
    if (by === NOBODY) {
      this.#doubted.delete(thing);
      this.#sought.delete(thing);
    }
    this.#by.set(thing, id);
    const things = this.#thingsOf.get(id);
    if (things === undefined) this.#thingsOf.set(id, new Set([thing]));
    else things.add(thing);
  }

  /** Doubts what is known by this issue: it has left, or is noted once more. Whether there is anything. */
  doubt(id: number): boolean {
    const things = this.#thingsOf.get(id);
    if (things === undefined) return false;
    this.#thingsOf.delete(id);
    for (const thing of things) {
      this.#by.set(thing, NOBODY);
      this.#doubted.add(thing);
    }
    return true;
  }

  /** From now on what is in doubt is looked for. */
  seek(): void {
    for (const thing of this.#doubted) this.#sought.add(thing);
    this.#doubted.clear();
  }

  /** Forgets what was looked for and not found; whether there was any. */
  forgetSought(): boolean {
    const { size } = this.#sought;
    for (const thing of this.#sought) this.#by.delete(thing);
    this.#sought.clear();
    return size > 0;
  }
}

/** Mentions of whatever kind. */
export type SomeMentions = Pick<Mentions<unknown>, 'sought' | 'doubt' | 'seek' | 'forgetSought'>;
