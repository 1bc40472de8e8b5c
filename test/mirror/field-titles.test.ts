import { expect, test } from '#jest';
import { createFieldTitles } from '../../src/mirror/use-field-ids.ts';
import type { Issue } from '../../src/model/issue.ts';
import { anIssue } from '../support/issue-story.ts';

/** An issue whose one change is of this field. */
function changing(field: string, fields: Issue['fields'] = {}): Issue {
  const { issue } = anIssue('DEMO-1', '2026-03-02T09:00:00Z').changes(
    field,
    null,
    'x',
    '2026-03-03T09:00:00Z',
  );
  return { ...issue, fields };
}
const fieldOf = (issue: Issue) => issue.changes[0]?.field;

test('a title of one custom field is replaced by its id', () => {
  const titles = createFieldTitles();
  titles.note([{ id: 'customfield_1', name: 'Story Points' }]);
  titles.note([{ id: 'customfield_2', name: 'Team' }]);
  expect(fieldOf(titles.useIds(changing('Story Points')))).toBe('customfield_1');
  expect(fieldOf(titles.useIds(changing('Team')))).toBe('customfield_2');
});

test('an issue without such a change is the same one', () => {
  const titles = createFieldTitles();
  titles.note([{ id: 'customfield_1', name: 'Story Points' }]);
  for (const issue of [changing('status'), changing('customfield_1'), changing('story points')]) {
    expect(titles.useIds(issue)).toBe(issue);
  }
});

test('a title of two fields leads to neither, also when the other one is no custom field', () => {
  const titles = createFieldTitles();
  titles.note([
    { id: 'customfield_1', name: 'Team' },
    { id: 'customfield_2', name: 'Team' },
    { id: 'customfield_3', name: 'Rank' },
    { id: 'rank', name: 'Rank' },
  ]);
  expect(fieldOf(titles.useIds(changing('Team')))).toBe('Team');
  expect(fieldOf(titles.useIds(changing('Rank')))).toBe('Rank');
  titles.note([{ id: 'customfield_2', name: 'Crew' }]);
  expect(fieldOf(titles.useIds(changing('Team')))).toBe('customfield_1');
});

test('a title that is the id of a field as well means that field', () => {
  const titles = createFieldTitles();
  titles.note([
    { id: 'customfield_1', name: 'status' },
    { id: 'status', name: 'Status' },
    { id: 'customfield_2', name: 'labels' },
    { id: 'environment', name: 'Environment' },
  ]);
  expect(fieldOf(titles.useIds(changing('status')))).toBe('status');
  expect(fieldOf(titles.useIds(changing('labels', { labels: [] })))).toBe('labels');
  expect(fieldOf(titles.useIds(changing('Environment')))).toBe('Environment');
});
