import type { Issue } from '../../model/issue.ts';
import { rowFlag } from './column-arrays.ts';
import type { ColumnParts } from './column-parts.ts';
import type { SomeMentions } from './mentions.ts';
import { noteMentions } from './write-row.ts';

/**
 * The things that only issues that have left their access class are known to mention, and the search for them in the
 * issues that stay.
 */
export class DoubtedMentions {
  readonly #parts: ColumnParts;
  readonly #onChange: () => void;
  /** Codes of classes of which something is looked for. */
  readonly #sought = new Set<number>();
  /** The number of issues that had left each class when the search began. */
  readonly #leftBefore = new Map<number, number>();

  /** `onChange` is called after columns have changed. */
  constructor(parts: ColumnParts, onChange: () => void) {
    this.#parts = parts;
    this.#onChange = onChange;
  }

  /** True where issues have left a class, of which more may be known by now than the others mention. */
  get isAny(): boolean {
    return this.#parts.classes.all.some(({ left }) => left > 0);
  }

  /** Begins a search in the classes that issues have left, and returns their codes; `confirm` removes those that are done. */
  seek(): ReadonlySet<number> {
    this.#sought.clear();
    this.#leftBefore.clear();
    for (const [accessClass, { left }] of this.#parts.classes.all.entries()) {
      if (left === 0) continue;
      this.#leftBefore.set(accessClass, left);
      const mentions = this.#mentionsOf(accessClass);
      for (const some of mentions) some.seek();
      if (isSought(mentions)) this.#sought.add(accessClass);
    }
    return this.#sought;
  }

  /** Notes that the issues of some rows do mention what they mention. */
  confirm(rows: ArrayLike<number>, issues: readonly (Issue | null)[]): void {
    const { arrays, classes } = this.#parts;
    const { accessClass: classOf, flags, storeId: idOf } = arrays;
    for (const [i, issue] of issues.entries()) {
      const row = rows[i] ?? 0;
      const [accessClass = 0, storeId = 0, flag = 0] = [classOf[row], idOf[row], flags[row]];
      // One that has changed since it was put will be put again.
      if (issue === null || (flag & rowFlag.dead) !== 0 || !classes.isOf(accessClass, issue)) continue;
      noteMentions(this.#parts, { accessClass, storeId, issue });
    }
    for (const one of this.#sought) if (!isSought(this.#mentionsOf(one))) this.#sought.delete(one);
  }

  /** Forgets what was not found, after the issues of all rows of these classes were confirmed. */
  forget(): void {
    const { classes, fields } = this.#parts;
    let isOther = false;
    for (const [accessClass, left] of this.#leftBefore) {
      for (const some of this.#mentionsOf(accessClass)) isOther = some.forgetSought() || isOther;
      // Former values are kept only for fields that some issue of the class was changed in.
      const one = classes.all[accessClass];
      fields.forgetFormer(accessClass, (field) => one?.changed.has(field) !== true);
      if (one?.left === left) one.left = 0;
    }
    this.#sought.clear();
    this.#leftBefore.clear();
    if (isOther) this.#onChange();
  }

  #mentionsOf(accessClass: number): readonly SomeMentions[] {
    const { classes, fields } = this.#parts;
    return [...classes.mentionsOf(accessClass), ...fields.formerOf(accessClass)];
  }
}

function isSought(mentions: readonly SomeMentions[]): boolean {
  return mentions.some(({ sought }) => sought > 0);
}
