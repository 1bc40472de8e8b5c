import { describe, expect, test } from '#jest';
import { readSprint } from '../../../src/trackers/jira-json/read-references.ts';

const dataCenter = (members: string) => `com.atlassian.greenhopper.service.sprint.Sprint@1f3a[${members}]`;
const at = (instant: string) => Date.parse(instant);

describe('readSprint', () => {
  test('reads Cloud’s object', () => {
    expect(
      readSprint({
        id: 12,
        name: 'Sprint 1',
        state: 'closed',
        boardId: 3,
        goal: 'all of it',
        startDate: '2026-03-02T08:30:00.000Z',
        endDate: '2026-03-16T08:30:00.000Z',
        completeDate: '2026-03-16T09:01:02.003Z',
      }),
    ).toEqual({
      id: '12',
      name: 'Sprint 1',
      state: 'closed',
      start: at('2026-03-02T08:30:00Z'),
      end: at('2026-03-16T08:30:00Z'),
      completed: at('2026-03-16T09:01:02.003Z'),
      board: '3',
    });
  });

  test('reads Data Center’s text, with its offsets and its word for nothing', () => {
    const text = dataCenter(
      'id=12,rapidViewId=3,state=ACTIVE,name=Sprint 1,goal=<null>,startDate=2026-03-02T10:30:00.000+02:00,endDate=2026-03-16T08:30:00.000Z,completeDate=<null>,sequence=12',
    );
    expect(readSprint(text)).toEqual({
      id: '12',
      name: 'Sprint 1',
      state: 'active',
      start: at('2026-03-02T08:30:00Z'),
      end: at('2026-03-16T08:30:00Z'),
      completed: null,
      board: '3',
    });
  });

  test.each(['One, two', 'A [b], c]', 'a=b,c=d', 'ends with ]', 'Q1, startDate', 'über, das\nHaus'])(
    'a name such as "%s" stays whole',
    (name) => {
      const text = dataCenter(
        `id=7,rapidViewId=<null>,state=FUTURE,name=${name},startDate=<null>,goal=x, y=z`,
      );
      expect(readSprint(text)).toMatchObject({ id: '7', name, state: 'future', start: null, board: null });
    },
  );

  test('a goal cannot take the place of a member', () => {
    const text = dataCenter('id=7,state=CLOSED,name=Sprint 7,goal=not this,name=but that');
    expect(readSprint(text)).toMatchObject({ name: 'Sprint 7' });
  });

  test.each([
    ['another text', 'Sprint 1'],
    ['a text without an id', dataCenter('state=CLOSED,name=Sprint')],
    ['an unknown state', { id: 1, name: 'Pull request', state: 'MERGED' }],
    ['an option', { id: '1', value: 'Red' }],
    ['nothing', null],
    ['a number', 3],
  ])('%s is none', (_, raw) => {
    expect(readSprint(raw)).toBeNull();
  });
});
