import { describe, expect, test } from '#jest';
import { readEvent } from '../../../src/trackers/jira/create-jira-tracker.ts';

const issue = { id: '10042', key: 'DEMO-42' };
const link = { id: 7, sourceIssueId: 10_042, destinationIssueId: 10_043 };

describe('readEvent', () => {
  test.each([
    ['an issue that came', { webhookEvent: 'jira:issue_created', issue }, ['10042']],
    ['an issue that changed', { webhookEvent: 'jira:issue_updated', issue, changelog: {} }, ['10042']],
    ['an issue that went', { webhookEvent: 'jira:issue_deleted', issue: { id: 10_042 } }, ['10042']],
    ['a comment', { webhookEvent: 'comment_created', issue, comment: { id: '1' } }, ['10042']],
    ['work', { webhookEvent: 'worklog_updated', worklog: { id: '1', issueId: '10042' } }, ['10042']],
    ['both ends of a link', { webhookEvent: 'issuelink_created', issueLink: link }, ['10042', '10043']],
  ])('names %s', (_, body, ids) => expect(readEvent(body)).toEqual(ids));

  test.each([
    ['a sprint', { webhookEvent: 'sprint_closed', sprint: { id: 3 } }],
    ['a person', { webhookEvent: 'user_updated', user: { accountId: 'ada' } }],
    ['a comment that does not name its issue', { webhookEvent: 'comment_created', comment: { id: '1' } }],
  ])('names no issue for %s', (_, body) => expect(readEvent(body)).toEqual([]));

  test.each(['1) OR (project=VAULT', '10042 ', '', '-1', '1e3', 1.5, -1, 1e21])(
    'takes %j for no id, and so the event for none',
    (id) => {
      expect(readEvent({ webhookEvent: 'jira:issue_updated', issue: { id } })).toBeNull();
      const ends = { sourceIssueId: '10042', destinationIssueId: id };
      expect(readEvent({ webhookEvent: 'issuelink_created', issueLink: ends })).toEqual([]);
    },
  );

  test.each([
    ['a text', 'jira:issue_updated'],
    ['nothing', null],
    ['something without a name', { issue }],
    ['an issue that is not there', { webhookEvent: 'jira:issue_updated', issue: { key: 'DEMO-42' } }],
  ])('takes %s for no event', (_, body) => expect(readEvent(body)).toBeNull());
});
