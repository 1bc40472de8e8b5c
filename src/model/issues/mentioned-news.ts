import type { Change, FieldValue, Issue } from '../issue.ts';

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
