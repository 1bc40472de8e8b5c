import type { Compilation } from '../compilation.ts';
import { checkArguments, functionCalled } from './call.ts';
import { namedValues } from './named-values.ts';
import { type Asked, idOf, type Test, type Values } from './values.ts';

const SUB_TASKS = 'subTaskIssueTypes';

/**
 * Issue types by name or id, and `standardIssueTypes()` and `subTaskIssueTypes()`. Of a type that no export says it of,
 * nobody can tell which of the two it is.
 */
export function issueTypeValues(compilation: Compilation): Values {
  const named = namedValues({ title: 'issuetype', fields: ['issuetype'] }, compilation);
  const natures = new Map(compilation.world.directory.issueTypes.map(({ id, subtask }) => [id, subtask]));
  const typesCalled = (asked: Asked, inList: boolean): Test | null => {
    if (asked.kind !== 'call') return null;
    const taken = ['standardIssueTypes', SUB_TASKS];
    const called = functionCalled(asked, taken, { compilation, title: 'issuetype', inList });
    checkArguments(asked, compilation, 0);
    const wanted = called === SUB_TASKS.toLowerCase();
    return (item) => {
      const nature = natures.get(idOf(item));
      return nature === undefined ? null : nature === wanted;
    };
  };
  return {
    ...named,
    equal: (asked, inList) => typesCalled(asked, inList) ?? named.equal(asked, inList),
    equalThen: (asked, inList) => typesCalled(asked, inList) ?? named.equalThen(asked, inList),
  };
}
