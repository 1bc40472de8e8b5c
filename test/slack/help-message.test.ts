import { describe, expect, test } from '#jest';
import { checkBlocks } from '../../src/block-kit/check-blocks.ts';
import { commands } from '../../src/slack/commands/index.ts';
import { helpMessage, helpTopic } from '../../src/slack/messages/help-message.ts';

const own = commands.filter(({ root }) => root === '/tis');

test('the whole of it keeps to Slack’s limits', () => {
  expect(checkBlocks(helpMessage(own, 'WEB-1').blocks, 'message')).toEqual([]);
  expect(checkBlocks(helpMessage(own, null).blocks, 'message')).toEqual([]);
});

describe('of every word', () => {
  test.each(own.flatMap(({ word }) => (word === null ? [] : [word])))('%s', (word) => {
    const { text, blocks } = helpTopic(own, word.toUpperCase());
    expect(text).toContain(own.find((one) => one.word === word)?.usage);
    expect(checkBlocks(blocks, 'message')).toEqual([]);
  });
});

test.each(['filter', 'assignee'])('%s is told of with the other filters', (word) => {
  expect(helpTopic(own, word).text).toContain('/tis FILTER');
});

test('sprint is a question of its own, and says how its issues are filtered', () => {
  const { text } = helpTopic(own, 'sprint');
  expect(text).toMatch(/^`\/tis sprint \[NAME/);
  expect(text).toContain('`/tis help project`');
  expect(helpTopic(own, 'project').text).toContain('`sprint NAME`');
});

test('no line is cut', () => {
  const all = [helpMessage(own, 'WEB-1'), ...own.map(({ word }) => helpTopic(own, word ?? 'help'))];
  for (const { blocks } of all) expect(JSON.stringify(blocks)).not.toMatch(/…"/);
});

test('the examples of a topic are of a project and an issue that can be seen', () => {
  const text = (word: string) => helpTopic(own, word, 'SHOP-4').text;
  expect(text('weekly')).toContain('`/tis weekly SHOP W46`');
  for (const { word } of own) expect(text(word ?? 'help')).not.toMatch(/such as .*\b(WEB|APP)\b/);
  expect(helpTopic(own, 'weekly').text).toContain('`/tis weekly WEB W46`');
});
