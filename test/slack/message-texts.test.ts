import { expect, test } from '#jest';
import { keysInMessage } from '../../src/slack/keys-in-message.ts';
import { messageTexts } from '../../src/slack/message-texts.ts';

test.each<[string, Readonly<Record<string, unknown>>, readonly string[]]>([
  ['its text', { text: 'see WEB-1' }, ['WEB-1']],
  [
    'a section',
    { text: '', blocks: [{ type: 'section', text: { type: 'mrkdwn', text: '*WEB-2*' } }] },
    ['WEB-2'],
  ],
  [
    'links and words of rich text',
    {
      blocks: [
        {
          type: 'rich_text',
          block_id: 'WEB-99',
          elements: [
            {
              type: 'rich_text_section',
              elements: [
                { type: 'link', url: 'https://jira.example/browse/WEB-3', text: 'the basket' },
                { type: 'text', text: ' and WEB-4' },
              ],
            },
          ],
        },
      ],
    },
    ['WEB-3', 'WEB-4'],
  ],
  [
    'what an attachment is called and leads to, and what stands for it',
    {
      text: 'Ada moved an issue',
      attachments: [
        { title: 'A slow basket', title_link: 'https://jira.example/browse/WEB-5', fallback: 'WEB-6 moved' },
        { text: 'blocks WEB-7', blocks: [{ elements: [{ url: 'https://jira.example/browse/web-8' }] }] },
      ],
    },
    ['WEB-5', 'WEB-8', 'WEB-6', 'WEB-7'],
  ],
  ['nothing', { text: undefined, blocks: null, attachments: 'WEB-1' }, []],
])('keys are found in %s', (_what, message, keys) => {
  expect([...keysInMessage(messageTexts(message))].sort()).toEqual([...keys].sort());
});

test('what stands in a message twice is one line', () => {
  const text = 'WEB-1 is slow';
  expect(messageTexts({ text, blocks: [{ type: 'section', text: { type: 'mrkdwn', text } }] })).toBe(text);
});
