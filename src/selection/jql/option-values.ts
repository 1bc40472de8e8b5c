import { cascadingLevels, isCascading } from '../../model/issues/value-sets.ts';
import { observedIn } from './field-contents.ts';
import { checkArguments, functionCalled } from './functions.ts';
import type { Compilation } from './jql.ts';
import { isOneOf, namedValues } from './named-values.ts';
import { type CallOperand, unknownWordError, type Word } from './query-tree.ts';
import { idOf, idsFor, type Test, testThen, type Values } from './values.ts';

export const CASCADE = 'cascadeOption';

/** Ids of options by the texts their levels are called by, in lower case: names and ids. */
interface OptionLevels {
  /** Those of a parent, itself included. */
  readonly parents: ReadonlyMap<string, ReadonlySet<string>>;
  readonly children: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * Options of a custom field by name or id; those of a cascading one by either of their levels, and by
 * `cascadeOption(parent)`, `cascadeOption(parent, child)` and `cascadeOption(parent, none)`.
 */
export function optionValues(field: string, title: string, compilation: Compilation): Values {
  const named = namedValues({ title, fields: [field] }, compilation);
  let known: OptionLevels | null = null;
  const levels = () => {
    known ??= readLevels(field, compilation);
    return known;
  };
  const ofLevel = (word: Word): ReadonlySet<string> => {
    const { parents, children } = levels();
    const ids = [parents, children].flatMap((level) => [...(level.get(keyOf(word)) ?? [])]);
    return new Set(ids.filter(isCascading));
  };
  const called = (operand: CallOperand, inList: boolean): Test => {
    functionCalled(operand, [CASCADE], { compilation, title, inList });
    checkArguments(operand, compilation, 1, 2);
    return isOneOf(cascadeOptions(operand, levels(), title, compilation));
  };
  return {
    ...named,
    equal(operand, inList, isThen) {
      if (operand.kind === 'call') return called(operand, inList);
      const { today, former } = observedIn(field, compilation);
      const ofLevels = ofLevel(operand);
      const ids = new Set([...ofLevels, ...(idsFor(operand, [today], [former]) ?? [])]);
      if ((isThen ? ofLevels : ids).size === 0) return named.equal(operand, inList, isThen);
      if (!isThen) return isOneOf(ids);
      const then = testThen(operand, [today], [former]);
      return (item) => ofLevels.has(idOf(item)) || then?.(item) === true;
    },
  };
}

function cascadeOptions(
  { args }: CallOperand,
  { parents, children }: OptionLevels,
  title: string,
  { name }: Compilation,
): ReadonlySet<string> {
  const [parent, child] = args;
  const among = (word: Word, ids: ReadonlySet<string> | undefined): ReadonlySet<string> => {
    if (ids !== undefined && ids.size > 0) return ids;
    throw unknownWordError(name, word, {
      kind: title,
      what: `an option of ${title} that is known here`,
      allowed: 'the name or the id of one',
    });
  };
  if (parent === undefined) return new Set();
  const ofParent = among(parent, parents.get(keyOf(parent)));
  if (child === undefined) return ofParent;
  // Without quotation marks it is Jira's word for no second level.
  if (!child.quoted && keyOf(child) === 'none') {
    return new Set([...ofParent].filter((id) => !isCascading(id)));
  }
  const ofChild = children.get(keyOf(child));
  return among(child, ofChild && new Set([...ofChild].filter((id) => ofParent.has(id))));
}

function readLevels(field: string, compilation: Compilation): OptionLevels {
  const parents = new Map<string, Set<string>>();
  const children = new Map<string, Set<string>>();
  const add = (level: Map<string, Set<string>>, text: string, id: string) => {
    const key = text.trim().toLowerCase();
    level.set(key, (level.get(key) ?? new Set()).add(id));
  };
  const { today, former } = observedIn(field, compilation);
  for (const naming of [today, former]) {
    for (const [text, ids] of naming.byName) {
      for (const id of ids) {
        const [parentId, childId] = (isCascading(id) ? cascadingLevels('id', id) : null) ?? [id];
        const [parent, child] = (childId === undefined ? null : cascadingLevels('name', text)) ?? [text];
        add(parents, parent, id);
        add(parents, parentId, id);
        if (child !== undefined && childId !== undefined) {
          add(children, child, id);
          add(children, childId, id);
        }
      }
    }
  }
  return { parents, children };
}

function keyOf({ text }: Word): string {
  return text.trim().toLowerCase();
}
