import { describe, expect, test } from '#jest';
import { IssueColumns } from '../../../src/engine/columns/issue-columns.ts';
import { contentAsOf, rowContent, valueAsOf } from '../../../src/engine/measure/own-cells.ts';
import { type Issue, UNSUPPORTED } from '../../../src/model/issue.ts';
import { restrictionOf } from '../../../src/model/issues/issue-fields.ts';
import { type ReadIssue, readIssue } from '../../../src/trackers/jira-json/read-issue.ts';
import {
  isAssignedTo,
  jiraIssue,
  movesTo,
  type RawHistory,
  type RawIssue,
} from '../../support/jira-export.ts';

const told = jiraIssue('DEMO-1', { created: '2026-03-02T09:00:00Z' })
  .at('2026-03-03T09:00:00Z', movesTo('In Progress'), isAssignedTo('ada'))
  .at('2026-03-05T09:00:00Z', movesTo('Done'));

function usable(raw: unknown): Extract<ReadIssue, { issue: Issue }> {
  const read = readIssue(raw);
  if ('reason' in read) throw new Error(read.reason);
  return read;
}

/** The issue with its changelog entries replaced. */
function withHistories(raw: RawIssue, bend: (histories: RawHistory[]) => RawHistory[]): RawIssue {
  const histories = bend(raw.changelog?.histories ?? []);
  return { ...raw, changelog: { ...raw.changelog, total: histories.length, histories } };
}

function moves(issue: Issue): string[] {
  return issue.changes
    .filter((change) => change.field === 'status')
    .toSorted((a, b) => a.at - b.at)
    .map(({ from, to }) => `${from?.id} ${from?.name} → ${to?.id} ${to?.name}`);
}

describe('readIssue', () => {
  test('reads the same from Cloud and from Data Center', () => {
    const { changes: onCloud, ...cloud } = usable(told.onCloud()).issue;
    const { changes: onServer, ...server } = usable(told.onDataCenter()).issue;
    expect(cloud).toEqual(server);
    expect(onCloud.toSorted((a, b) => a.at - b.at || a.item - b.item)).toEqual(onServer);
    expect(cloud).toMatchObject({
      key: 'DEMO-1',
      project: { id: 'DEMO', name: 'Demonstration' },
      created: Date.parse('2026-03-02T09:00:00Z'),
      updated: Date.parse('2026-03-05T09:00:00Z'),
      status: { id: '10', name: 'Done' },
      assignee: { id: 'ada', name: 'Ada' },
      history: { complete: true },
    });
  });

  test('reads issues that columns speak for, although Jira shows projects under ids of their own', () => {
    const raw = told.onCloud();
    const shown = { ...raw, fields: { ...raw.fields, project: { id: '10000', key: 'DEMO', name: 'Demo' } } };
    const { issue } = usable(shown);
    expect(issue.fields.project).toEqual({ id: '10000', name: 'Demo' });
    const columns = new IssueColumns();
    const row = columns.put(1, rowContent(issue));
    expect(columns.arrays().flags[row]).toBe(0);
    const byProject = contentAsOf(issue, 'project', issue.updated);
    expect(byProject).toEqual({ id: 'DEMO', name: 'Demo' });
    expect(valueAsOf(issue, 'project', issue.created)).toEqual(byProject);
  });

  test('knows fields by their id even where Data Center names them by title', () => {
    const raw = withHistories(told.onDataCenter(), () => [
      {
        id: '1',
        created: 1_772_500_000_000,
        items: [
          { field: 'Fix Version', to: '14', toString: '1.0' },
          { field: 'Story Points', toString: '5' },
          { field: 'toString', toString: 'a field of that name' },
        ],
      },
    ]);
    const fields = usable(raw).issue.changes.map(({ field }) => field);
    expect(fields.toSorted()).toEqual(['Story Points', 'fixVersions', 'toString']);
  });

  test('does not take every object’s toString for the name of a value', () => {
    const raw = withHistories(told.onCloud(), () => [
      { id: '1', created: '2026-03-03T09:00:00.000+0000', items: [{ field: 'assignee', from: 'ada' }] },
    ]);
    expect(usable(raw).issue.changes).toMatchObject([{ from: { id: 'ada', name: 'ada' }, to: null }]);
  });

  test('takes instants as numbers too', () => {
    const raw = told.onCloud();
    raw.fields.created = Date.parse('2026-03-02T09:00:00Z');
    const bent = withHistories(raw, (entries) =>
      entries.map((entry) => ({ ...entry, created: Date.parse(String(entry.created)) })),
    );
    expect(usable(bent).issue).toEqual(usable(told.onCloud()).issue);
  });

  test('counts an entry once that overlapping pages repeat, with or without ids', () => {
    for (const keepIds of [true, false]) {
      const once = withHistories(told.onCloud(), (entries) =>
        entries.map(({ id, ...entry }) => (id !== undefined && keepIds ? { ...entry, id } : entry)),
      );
      const twice = withHistories(once, (entries) => [...entries, ...structuredClone(entries)]);
      expect(usable(twice).issue.changes).toEqual(usable(once).issue.changes);
    }
  });

  test('two different entries without ids both count', () => {
    const raw = withHistories(told.onCloud(), (entries) => entries.map(({ id: _, ...entry }) => entry));
    expect(moves(usable(raw).issue)).toEqual(['7 To Do → 8 In Progress', '8 In Progress → 10 Done']);
  });

  test('the last change may be later than the export says the issue was updated', () => {
    const raw = told.onCloud();
    raw.fields.updated = '2026-03-04T09:00:00.000+0000';
    expect(usable(raw).issue.updated).toBe(Date.parse('2026-03-05T09:00:00Z'));
  });

  test('a value named in one place and known by its id in another is one value', () => {
    const raw = withHistories(told.onCloud(), (entries) =>
      entries.map((entry) => ({ ...entry, items: entry.items.map(({ from: _, to: __, ...item }) => item) })),
    );
    expect(moves(usable(raw).issue)).toEqual([
      'To Do To Do → In Progress In Progress',
      'In Progress In Progress → 10 Done',
    ]);
    raw.fields.status = { name: 'Done' };
    expect(usable(raw).issue.status).toEqual({ id: 'Done', name: 'Done' });
    const withIds = told.onCloud();
    withIds.fields.status = { name: 'Done' };
    expect(usable(withIds).issue.status).toEqual({ id: '10', name: 'Done' });
    expect(usable(withIds).issue.fields.status).toEqual({ id: '10', name: 'Done' });
  });

  test('a name that two statuses share is not taken for either of them', () => {
    const step = (id: number, from: string | null, to: string | null) => ({
      id: String(id),
      created: `2026-03-0${id}T09:00:00.000+0000`,
      items: [{ field: 'status', from, fromString: 'Review', to, toString: 'Review' }],
    });
    const entries = [step(3, '9', '19'), step(4, '19', null)];
    for (const order of [entries, entries.toReversed()]) {
      expect(moves(usable(withHistories(told.onCloud(), () => order)).issue)).toEqual([
        '9 Review → 19 Review',
        '19 Review → Review Review',
      ]);
    }
  });

  test('tells the statuses and people it mentions', () => {
    const { statuses, users } = usable(told.onCloud());
    expect(new Map(statuses.map((status) => [status.id, status.category]))).toEqual(
      new Map([
        ['7', 'Undefined'],
        ['8', 'Undefined'],
        ['10', 'Done'],
      ]),
    );
    expect(new Set(users.map(({ id }) => id))).toEqual(new Set(['ada', 'grace']));
  });

  test('an author without a name is nobody', () => {
    const raw = withHistories(told.onCloud(), (entries) =>
      entries.map((entry) => ({ ...entry, author: { accountId: '', displayName: '' } })),
    );
    expect(usable(raw).issue.changes.every(({ by }) => by === null)).toBe(true);
  });

  test('a person with an empty account id is known by what is left', () => {
    const raw = told.onCloud();
    raw.fields.assignee = { accountId: '', name: '', displayName: 'Ada' };
    expect(usable(raw).issue.assignee).toEqual({ id: 'Ada', name: 'Ada' });
  });
});

describe('the fields of an issue', () => {
  const doc = (...content: unknown[]) => ({ type: 'doc', version: 1, content });
  const paragraph = (...content: unknown[]) => ({ type: 'paragraph', content });
  const text = (words: string) => ({ type: 'text', text: words });

  test.each<[string, unknown, unknown]>([
    ['of rich text', doc(paragraph(text('one '), text('line')), paragraph(text('two'))), 'one line\ntwo'],
    [
      'of nested rich text',
      doc(
        { type: 'heading', attrs: { level: 1 }, content: [text('Steps')] },
        {
          type: 'bulletList',
          content: ['a', 'b'].map((one) => ({ type: 'listItem', content: [paragraph(text(one))] })),
        },
        { type: 'rule' },
        paragraph(text('ask '), { type: 'mention', attrs: { id: '1', text: '@Ada' } }, { type: 'hardBreak' }),
      ),
      'Steps\na\nb\nask @Ada\n',
    ],
    ['of empty rich text', doc(), ''],
    ['of odd rich text', doc(null, 7, { type: 'text' }, paragraph(text('kept'))), 'kept'],
    ['of progress', { progress: 0, total: 0 }, null],
    ['of an option', { id: '5', value: 'Red' }, { id: '5', name: 'Red' }],
    ['of objects that nothing names', [{ a: 1 }], UNSUPPORTED],
    ['of nothing but empty members', { a: null }, null],
  ])('%s', (_, content, kept) => {
    const raw = told.onCloud();
    raw.fields.customfield_1 = content;
    expect(usable(raw).issue.fields).toHaveProperty('customfield_1', kept);
  });

  test.each<[unknown, readonly string[]]>([
    [{ issuerestrictions: { projectrole: [{ id: '10002' }] }, shouldDisplay: true }, ['projectrole 10002']],
    [{ issuerestrictions: { projectrole: [{ id: 7 }, { id: '8' }] } }, ['projectrole 7', 'projectrole 8']],
    [{ issuerestrictions: { team: [{ ari: 'x' }] }, shouldDisplay: true }, ['team {"ari":"x"}']],
    [{ issuerestrictions: { projectrole: [{}] } }, ['projectrole {}']],
    [{ issuerestrictions: ['10002'] }, ['restriction 10002']],
    [{ issuerestrictions: {}, restrictedTo: ['staff'], shouldDisplay: true }, ['restrictedTo staff']],
    ['staff', ['restriction staff']],
    [true, ['restriction true']],
    [{ issuerestrictions: {}, shouldDisplay: true }, []],
    [{ issuerestrictions: { projectrole: [] }, shouldDisplay: false }, []],
    [{ issuerestrictions: null }, []],
    [{}, []],
    [null, []],
  ])('that restricts it to roles: %j', (content, ids) => {
    const raw = told.onCloud();
    raw.fields.issuerestriction = content;
    expect(usable(raw).issue.fields.issuerestriction).toEqual(ids.map((id) => ({ id, name: id })));
    expect(restrictionOf(usable(raw).issue)).toBe(ids.length === 0 ? null : ids.join(', '));
  });

  test('of rich text that nests without end are read as far as Jira nests', () => {
    const raw = told.onCloud();
    raw.fields.description = doc(
      paragraph(text('top')),
      Array.from({ length: 5000 }).reduce<unknown>((inner) => paragraph(inner), text('deep')),
    );
    expect(usable(raw).issue.fields.description).toBe('top');
  });
});

describe('the link of an issue', () => {
  test.each([
    ['https://dwell.example/rest/api/2/issue/10001', 'https://dwell.example/browse/DEMO-1'],
    [
      'http://dwell.example:8080/jira/rest/api/latest/issue/1',
      'http://dwell.example:8080/jira/browse/DEMO-1',
    ],
    ['https://api.atlassian.com/ex/jira/0a1b/rest/api/3/issue/1', undefined],
    ['ftp://dwell.example/rest/api/2/issue/1', undefined],
    ['javascript:alert(1)//rest/api/2/', undefined],
    ['https://dwell.example/a|b>/rest/api/2/issue/1', undefined],
    ['https://dwell.example/secure', undefined],
    ['/rest/api/2/issue/1', undefined],
    [7, undefined],
    [undefined, undefined],
  ])('from %s', (self, link) => {
    expect(usable({ ...told.onCloud(), key: 'demo-1', self }).issue.link).toBe(link);
  });
});

describe('a change that cannot be read', () => {
  const spoilt = (items: unknown) => {
    const raw = told.onCloud();
    const histories = [...(raw.changelog?.histories ?? []), { id: '9', created: 1_772_900_000_000, items }];
    return { ...raw, changelog: { startAt: 0, total: histories.length, histories } };
  };
  const whole = usable(told.onCloud()).issue;

  test.each([
    ['is of no field', [{ from: '1', to: '2' }]],
    ['leads from true to false', [{ field: 'flag', from: true, to: false }]],
    ['is none', [null]],
    ['is not listed', undefined],
    ['stands in no list', 'status'],
  ])('as it %s is left out, and the history is called cut', (_, items) => {
    const { issue } = usable(spoilt(items));
    expect(issue.changes.filter(({ field }) => field === 'status')).toEqual(
      whole.changes.filter(({ field }) => field === 'status'),
    );
    expect(issue.history).toEqual({
      complete: false,
      unknownFrom: null,
      unknownUntil: null,
      reason: '1 change of its changelog cannot be read',
    });
  });

  test('does not take those beside it away, nor what else is missing', () => {
    const items = [null, { field: 'status', fieldId: 'status', from: '10', to: '3' }, { from: '1' }];
    const read = readIssue(spoilt(items), { lack: 'one entry is missing' });
    expect(read).toMatchObject({
      issue: {
        history: { reason: 'one entry is missing; 2 changes of its changelog cannot be read' },
        changes: expect.arrayContaining([expect.objectContaining({ entry: '9', field: 'status' })]),
      },
    });
  });

  test('is one of an entry without any changes by no means', () => {
    expect(usable(spoilt([])).issue.history).toEqual({ complete: true });
  });

  test('is none where only the title of its field is missing', () => {
    const { issue } = usable(spoilt([{ fieldId: 'assignee', from: 'ada', to: 'bea' }]));
    expect(issue.history).toEqual({ complete: true });
    expect(issue.changes).toContainEqual(expect.objectContaining({ entry: '9', field: 'assignee' }));
  });
});

describe('an issue is rejected as a whole', () => {
  const bent = (fields: Record<string, unknown>) => {
    const raw = told.onCloud();
    return { ...raw, fields: { ...raw.fields, ...fields } };
  };
  test.each<[string, unknown, string | null, unknown]>([
    ['that is no object', 7, null, 'it is the number 7'],
    ['that is empty', null, null, 'it is null'],
    ['without a key', { fields: {} }, null, 'key is missing'],
    ['with a key that is none', { ...told.onCloud(), key: 'oops' }, 'oops', "key 'oops' is not an issue key"],
    ['without fields', { key: 'DEMO-1' }, 'DEMO-1', 'fields is missing'],
    [
      'of an impossible day',
      bent({ created: '2026-02-30T09:00:00.000+0000' }),
      'DEMO-1',
      "fields.created '2026-02-30T09:00:00.000+0000' is not a date with a time",
    ],
    ['without a status', bent({ status: null }), 'DEMO-1', 'fields.status is missing'],
    ['without a status’s name', bent({ status: { id: '1' } }), 'DEMO-1', 'fields.status.name is missing'],
    [
      'with a status that is only a word',
      bent({ status: 'Done' }),
      'DEMO-1',
      'fields.status cannot be read: it is a text',
    ],
    [
      'created in many words',
      bent({ created: 'long ago '.repeat(20) }),
      'DEMO-1',
      expect.stringMatching(/^fields\.created 'long ago .{51}…' is not a date with a time$/),
    ],
    [
      'with one unreadable entry',
      withHistories(told.onCloud(), (entries) => [...entries, { id: '3', created: 'soon', items: [] }]),
      'DEMO-1',
      "changelog entry 3 has no readable instant: 'soon'",
    ],
  ])('%s', (_, raw, key, reason) => expect(readIssue(raw)).toEqual({ key, reason }));
});
