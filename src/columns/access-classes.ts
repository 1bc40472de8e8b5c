import { levelOf, projectKeyOf, restrictionOf, rolesOf } from '../issues/issue-fields.ts';
import type { FieldValue, Issue } from '../model/issue.ts';

/**
 * Issues that rights cannot tell apart but by their people: of one project and with the same restriction. With it goes
 * what these issues mention, so that somebody learns only of what the issues they can see mention.
 */
export interface AccessClass {
  /** The key's part before the number, as it is spelled there. */
  readonly projectKey: string;
  /** What closes these issues to people who can see their project; null: nothing. */
  readonly restriction: string | null;
  /** Id of the security level, or null. */
  readonly level: string | null;
  /** Ids of the roles the issues are restricted to, or null. */
  readonly roles: string | null;
  /** How many issues are in it now. */
  issues: number;
  /** Ids of the fields these issues have. */
  readonly fields: Set<string>;
  /** Ids of the fields their changes mention. */
  readonly changed: Set<string>;
  /** Ids of the people who made changes. */
  readonly authors: Set<string>;
  /** `id\nname` of the values in lists, of whatever field. */
  readonly listed: Set<string>;
  /** Projects (id and name) these issues say they are in, by `id\nname`. */
  readonly projects: Map<string, FieldValue>;
}

/** The classes of the issues of one tracker, each under a small number. */
export class AccessClasses {
  readonly all: AccessClass[] = [];
  readonly #codes = new Map<string, number>();
  /** The class that a value was noted for last. */
  readonly #noted = new WeakMap<FieldValue, number>();

  /** Whether people who see a class see an issue too: it is of the same project and has no other restriction. */
  covers(code: number, issue: Issue): boolean {
    const { projectKey, level, roles } = this.all[code] ?? {};
    const isSame = level === levelOf(issue) && roles === rolesOf(issue);
    return projectKey === projectKeyOf(issue) && (isSame || restrictionOf(issue) === null);
  }

  /** The class of an issue, made if there is none yet. */
  codeOf(issue: Issue): number {
    const projectKey = projectKeyOf(issue);
    const [level, roles] = [levelOf(issue), rolesOf(issue)];
    const text = textOf({ projectKey, level, roles });
    const known = this.#codes.get(text);
    if (known !== undefined) return known;
    return this.add(text, {
      ...{ projectKey, restriction: restrictionOf(issue), level, roles, issues: 0 },
      ...{ fields: new Set(), changed: new Set(), authors: new Set(), listed: new Set() },
      projects: new Map(),
    });
  }

  /** What an issue of a class mentions, noted for the class. */
  note(code: number, { fields, changes, project }: Issue): void {
    const facts = this.all[code];
    if (facts === undefined) return;
    if (this.#isNews(code, project)) facts.projects.set(`${project.id}\n${project.name}`, project);
    for (const field in fields) {
      facts.fields.add(field);
      const content = fields[field];
      if (content === null || typeof content !== 'object' || !('length' in content)) continue;
      for (const value of content) {
        if (this.#isNews(code, value)) facts.listed.add(`${value.id}\n${value.name}`);
      }
    }
    let lastField: string | null = null;
    let lastBy: string | null = null;
    for (const { field, by } of changes) {
      if (field !== lastField) facts.changed.add(field);
      if (by !== null && by !== lastBy) facts.authors.add(by);
      lastField = field;
      lastBy = by ?? lastBy;
    }
  }

  /** Values that were read from one dictionary are the same object again and again: once is enough. */
  #isNews(code: number, value: FieldValue): boolean {
    if (this.#noted.get(value) === code) return false;
    this.#noted.set(value, code);
    return true;
  }

  /** All of it as plain JSON, from which `fromJson` makes it again. */
  toJson(): readonly StoredClass[] {
    return this.all.map(({ fields, changed, authors, listed, projects, ...rest }) => ({
      ...rest,
      fields: [...fields],
      changed: [...changed],
      authors: [...authors],
      listed: [...listed],
      projects: [...projects.values()],
    }));
  }

  static fromJson(json: readonly StoredClass[]): AccessClasses {
    const classes = new AccessClasses();
    for (const { fields, changed, authors, listed, projects, ...rest } of json) {
      classes.add(textOf(rest), {
        ...rest,
        ...{ fields: new Set(fields), changed: new Set(changed), authors: new Set(authors) },
        listed: new Set(listed),
        projects: new Map(projects.map((one) => [`${one.id}\n${one.name}`, one])),
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

/** A level and a role may have the same id. */
function textOf({ projectKey, level, roles }: Pick<AccessClass, 'projectKey' | 'level' | 'roles'>): string {
  return JSON.stringify([projectKey, level, roles]);
}

/** An access class as it lies in a snapshot. */
export interface StoredClass
  extends Pick<AccessClass, 'projectKey' | 'restriction' | 'level' | 'roles' | 'issues'> {
  readonly fields: readonly string[];
  readonly changed: readonly string[];
  readonly authors: readonly string[];
  readonly listed: readonly string[];
  readonly projects: readonly FieldValue[];
}
