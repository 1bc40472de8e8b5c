import type { FieldValue, Issue } from '../issue.ts';
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
    const ids = { field: new Set<string>(), changed: new Set<string>(), author: new Set<string>() };
    const now = { status: new Set<string>(), assignee: new Set<string>(), listed: new Set<string>() };
    const projects: (readonly [string, FieldValue])[] = [];
    const former = new Map<string, FieldValue[]>();
    const note = ({ kind, of, value }: Mention) => {
      switch (kind) {
        case 'project':
          projects.push([of, value]);
          return;
        case 'former': {
          const values = former.get(of);
          if (values === undefined) former.set(of, [value]);
          else values.push(value);
          return;
        }
        case 'field':
        case 'changed':
        case 'author':
          ids[kind].add(of);
          return;
        default:
          now[kind].add(of);
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
        statuses: now.status,
        assignees: now.assignee,
        listed: now.listed,
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
