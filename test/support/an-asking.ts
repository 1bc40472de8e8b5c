import { reports } from '../../src/engine/reports/index.ts';
import { badRequest } from '../../src/model/error.ts';
import type { ParameterSet } from '../../src/model/parameter-set.ts';
import { offeredReports } from '../../src/slack/ask/grammar/parse-options.ts';
import type { ParserContext } from '../../src/slack/ask/grammar/parser-context.ts';
import { principalOf } from './principal-of.ts';

const office = { workingTimes: [], holidays: [], timeZone: 'Europe/Berlin' };

/** Somebody who asks on Friday 20 November 2026 at 15:00 in Berlin, where two projects, some fields and calendars are. */
export function anAsking(more: Partial<ParserContext> = {}): ParserContext {
  const fields = ['assignee', 'issuetype', 'priority', 'story points', 'created', 'resolved'];
  return {
    principal: principalOf('ada'),
    hours: { calendar: '1', timeZone: 'Europe/Berlin' },
    now: Date.parse('2026-11-20T14:00:00Z'),
    reportTypes: offeredReports(reports),
    calendars: [
      { id: null, name: 'normalHours', ...office },
      { id: 1, name: 'Berlin office', ...office },
      { id: 2, name: 'Lisbon', ...office },
    ],
    words: ['weekly', 'sprint', 'aging', 'mine', 'compare', 'saved', 'help'],
    isProject: async (name) => ['web', 'app', 'web shop', 'list', 'status'].includes(name.toLowerCase()),
    knownBeside: async () => null,
    sprintNames: async () => [],
    isField: async (name) => fields.includes(name.toLowerCase()),
    isQuery: async () => true,
    valuesOf: async (field) => (field === 'issuetype' ? ['Task', 'Bug', 'Story'] : []),
    statuses: async () => [
      { id: '1', name: 'To Do', category: 'To Do', deleted: false },
      { id: '3', name: 'In Progress', category: 'In Progress', deleted: false },
      { id: '5', name: 'In Review', category: 'In Progress', deleted: false },
      { id: '6', name: 'Done', category: 'Done', deleted: false },
    ],
    people: async () => [{ id: 'ada', name: 'Ada Quist' }],
    sprintNow: async (which) =>
      which === 'this'
        ? null
        : {
            name: 'WEB Sprint 7',
            start: Date.parse('2026-11-02T08:00:00Z'),
            end: Date.parse('2026-11-13T16:00:00Z'),
          },
    async userOf(account) {
      if (account === 'U0BEN') return 'ben';
      throw badRequest('I do not know who that is. Try: their name.');
    },
    nameOf: async (user) => (user === 'ada' ? 'Ada Quist' : user),
    self: async () => ({ id: 'ada', name: 'Ada Quist' }),
    defaultProjects: async () => ({ projects: ['WEB'], remark: 'This is of `WEB`.' }),
    parameterSets: async () => [aSet('a', 'Review times'), aSet('b', 'Twice'), aSet('c', 'twice')],
    check: async () => {},
    ...more,
  };
}

function aSet(id: string, name: string): ParameterSet {
  return { id, name, ownerId: 'ada', public: false, report: {}, createdAt: 0, updatedAt: 0 };
}
