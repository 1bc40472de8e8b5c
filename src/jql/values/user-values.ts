import type { FieldValue } from '../../model/issue.ts';
import type { Compilation } from '../compilation.ts';
import type { JqlWorld } from '../jql.ts';
import { listed, refuse } from '../refuse.ts';
import type { CallOperand, Word } from '../syntax/query-tree.ts';
import { checkArguments, functionCalled } from './call.ts';
import { authorsIn, metIn } from './met.ts';
import { isOneOf } from './named-values.ts';
import { idsFor, type Naming, nameAll, testThen } from './naming.ts';
import { type Asked, byName, type Values } from './values.ts';

/** People: by id, name or address, `currentUser()` and `membersOf(group)`. */
export function userValues(field: string, title: string, compilation: Compilation): Values {
  const ids = userIds(compilation, title, [field]);
  const equal = (asked: Asked, inList: boolean) => isOneOf(ids(asked, inList));
  return {
    equal,
    equalThen: (asked, inList) => {
      if (asked.kind === 'call') return equal(asked, inList);
      const { today, former } = namingsOf(compilation, [field]);
      return testThen(asked, today, former) ?? equal(asked, inList);
    },
    sortKey: byName,
  };
}

/** The ids of the people asked for. Known are the tracker's users and whoever the issues mention. */
export function userIds(
  compilation: Compilation,
  title: string,
  fields: readonly string[] = [],
): (asked: Asked, inList: boolean) => ReadonlySet<string> {
  const { world, name } = compilation;
  const named = (word: Word): ReadonlySet<string> => {
    const { today, former } = namingsOf(compilation, fields);
    const ids = idsFor(word, today, former);
    if (ids !== null) return ids;
    throw refuse(
      name,
      word,
      'is not a user who is known here; allowed: the name, the id or the address of a user.',
    );
  };
  return (asked, inList) => {
    if (asked.kind === 'value') return named(asked);
    const called = functionCalled(asked, ['currentUser', 'membersOf'], { compilation, title, inList });
    if (called === 'membersof') return membersOf(asked, compilation);
    checkArguments(asked, compilation, 0);
    compilation.personal.add(called);
    return new Set([world.asker]);
  };
}

function namingsOf({ world }: Compilation, fields: readonly string[]) {
  const mets = [...new Set([...fields, 'assignee', 'reporter', 'creator'])].map((one) =>
    metIn(world.issues, one),
  );
  return {
    today: [usersOf(world), ...mets.map((met) => met.today)],
    former: [...mets.map((met) => met.former), authorsIn(world.issues)],
  };
}

const seen = new WeakMap<JqlWorld, Naming>();

function usersOf(world: JqlWorld): Naming {
  const known = seen.get(world) ?? nameAll(everyName(world.users.values()));
  seen.set(world, known);
  return known;
}

function* everyName(
  users: Iterable<{ readonly id: string; readonly name: string; readonly email?: string }>,
): Generator<FieldValue> {
  for (const { id, name, email } of users) {
    yield { id, name };
    if (email !== undefined) yield { id, name: email };
  }
}

function membersOf(call: CallOperand, compilation: Compilation): ReadonlySet<string> {
  checkArguments(call, compilation, 1);
  const { groups } = compilation.world.directory;
  const members = new Set<string>();
  for (const word of call.args) {
    const ids = idsFor(word, [nameAll(groups)]);
    if (ids === null) {
      const allowed =
        groups.length === 0
          ? 'no groups are known'
          : // Who is organised how is not for everybody to list.
            `allowed: ${compilation.world.admin ? listed(groups.map((group) => group.name)) : 'ids and names of groups'}`;
      throw refuse(compilation.name, word, `is not a group that is known here; ${allowed}.`);
    }
    for (const group of groups)
      if (ids.has(group.id)) for (const member of group.members) members.add(member);
  }
  return members;
}
