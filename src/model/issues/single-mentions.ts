import type { Change, FieldValue, Issue } from '../issue.ts';
import { projectKeyOf } from './issue-fields.ts';

/** The mentions of some issues. Sets and lists are in the order of their first appearance. */
export interface SingleMentions {
  /** Ids of the fields they have. */
  readonly fields: ReadonlySet<string>;
  /** Ids of the fields their changes are of. */
  readonly changed: ReadonlySet<string>;
  /** Ids of the people who made changes. */
  readonly authors: ReadonlySet<string>;
  /** Ids of the statuses they are in, and of the people they are with. */
  readonly statuses: ReadonlySet<string>;
  readonly assignees: ReadonlySet<string>;
  /** `id\nname` of the values in lists, of whatever field. */
  readonly listed: ReadonlySet<string>;
  /** Projects they say they are in, each with the key's part before the number. */
  readonly projects: readonly (readonly [projectKey: string, project: FieldValue])[];
  /** The values that changes of a field mention. */
  former(field: string): readonly FieldValue[];
}

/** One thing that issues mention, in a field or of a project; an id alone has no name of its own. */
interface Mention {
  readonly kind: 'field' | 'changed' | 'author' | 'status' | 'assignee' | 'listed' | 'project' | 'former';
  readonly of: string;
  readonly value: FieldValue;
}

/** Adds up what issues mention. */
interface MentionCollector {
  add(codes: readonly number[]): void;
  mentions(): SingleMentions;
}

/** The mentions of issues, each once under a number, so that many issues take little more than some numbers each. */
export class MentionCodes {
  readonly #mentions: Mention[] = [];
  readonly #codes = new Map<string, number>();
  #letters = 0;

  /** The number of letters in all texts together. */
  get letters(): number {
    return this.#letters;
  }

  /** The codes of what an issue mentions, each once. */
  codesOf({ key, project, status, assignee, fields, changes }: Issue): readonly number[] {
    const codes = new Set<number>();
    const add = (kind: Mention['kind'], of: string, value: FieldValue = nothing) => {
      codes.add(this.#codeOf({ kind, of, value }));
    };
    add('project', projectKeyOf({ key }), project);
    add('status', status.id);
    if (assignee !== null) add('assignee', assignee.id);
    for (const field in fields) {
      add('field', field);
      const content = fields[field];
      if (content === null || typeof content !== 'object' || !('length' in content)) continue;
      for (const { id, name } of content) add('listed', `${id}\n${name}`);
    }
    for (const { field, from, to, by } of changes) {
      add('changed', field);
      if (by !== null) add('author', by);
      if (from !== null) add('former', field, from);
      if (to !== null) add('former', field, to);
    }
    return [...codes];
  }

  /** Collects what the issues behind some codes mention. */
  collect(): MentionCollector {
    const known = new Set<number>();
    const ids = {
      field: new Set<string>(),
      changed: new Set<string>(),
      author: new Set<string>(),
      status: new Set<string>(),
      assignee: new Set<string>(),
      listed: new Set<string>(),
    };
    const projects: (readonly [string, FieldValue])[] = [];
    const former = new Map<string, FieldValue[]>();
    const note = ({ kind, of, value }: Mention) => {
      if (kind === 'project') projects.push([of, value]);
      else if (kind !== 'former') ids[kind].add(of);
      else {
        const values = former.get(of);
        if (values === undefined) former.set(of, [value]);
        else values.push(value);
      }
    };
    return {
      add: (codes) => {
        for (const code of codes) {
          if (known.has(code)) continue;
          known.add(code);
          const mention = this.#mentions[code];
          if (mention !== undefined) note(mention);
        }
      },
      mentions: () => ({
        fields: ids.field,
        changed: ids.changed,
        authors: ids.author,
        statuses: ids.status,
        assignees: ids.assignee,
        listed: ids.listed,
        projects,
        former: (field) => former.get(field) ?? [],
      }),
    };
  }

  #codeOf(mention: Mention): number {
    const text = textOf(mention);
    const known = this.#codes.get(text);
    if (known !== undefined) return known;
    const code = this.#mentions.push(mention) - 1;
    this.#codes.set(text, code);
    this.#letters += text.length;
    return code;
  }
}

/** The mentions of no issues. */
export const noMentions: SingleMentions = new MentionCodes().collect().mentions();

const nothing: FieldValue = { id: '', name: '' };

/** A text that is the same for the same mention only. */
function textOf({ kind, of, value: { id, name } }: Mention): string {
  // Changes of texts mention them twice.
  return `${kind}\n${of}\n${id.length}${id === name ? '=' : ':'}${id}${id === name ? '' : name}`;
}

/**
 * The numbers of the terms that some issues of one store mention: of their lists of fields, of the values in their lists, and
 * of what their changes name.
 */
export class SeenTerms {
  readonly fieldLists = new Set<number>();
  readonly listed = new Set<number>();
  readonly changedFields = new Set<number>();
  readonly authors = new Set<number>();
  readonly #values: (Set<number> | null | undefined)[] = [];
  readonly #hasValues: (field: string) => boolean;

  /** `hasValues`: whether the values of a field's changes matter. */
  constructor(hasValues: (field: string) => boolean) {
    this.#hasValues = hasValues;
  }

  /** The values in the changes of a field, by the number of the field; null where they do not matter. */
  valuesOf(number: number, fieldAt: (number: number) => string): Set<number> | null {
    const known = this.#values[number];
    if (known !== undefined) return known;
    const values = this.#hasValues(fieldAt(number)) ? new Set<number>() : null;
    this.#values[number] = values;
    return values;
  }
}

/** Some of what an issue mentions. */
export interface MentionedNews {
  readonly fields: readonly string[];
  readonly listed: readonly FieldValue[];
  readonly changes: readonly Change[];
}

/** The member of an issue that names terms by their numbers that gives its news without its fields and changes. */
export const newsByTerms = Symbol('news by terms');

/** An issue that gives its news, compared with the issues before it, without building all of it. */
export interface HasNewsByTerms {
  [newsByTerms](seen: SeenTerms): MentionedNews;
}

/**
 * The mentions of an issue: its fields, the values in its lists, and its changes. A mention that has a number and was in
 * an issue before with the same `seen` may be left out.
 */
export function newsOf(issue: Pick<Issue, 'fields' | 'changes'>, seen: SeenTerms): MentionedNews {
  if (hasNewsByTerms(issue)) return issue[newsByTerms](seen);
  const listed: FieldValue[] = [];
  for (const content of Object.values(issue.fields)) {
    if (content !== null && typeof content === 'object' && 'length' in content) listed.push(...content);
  }
  return { fields: Object.keys(issue.fields), listed, changes: issue.changes };
}

function hasNewsByTerms(issue: object): issue is HasNewsByTerms {
  return newsByTerms in issue;
}
