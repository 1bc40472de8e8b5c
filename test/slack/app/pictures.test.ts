import { WebClient } from '@slack/web-api';
import { millisecondsInHour } from 'date-fns/constants';
import { pino } from 'pino';
import { expect, jest, test } from '#jest';
import { type Chart, nativeChart } from '../../../src/output/charts/chart.ts';
import { createPictures, withPictures } from '../../../src/slack/app/pictures.ts';
import { postMessage } from '../../../src/slack/app/post-message.ts';
import { checkBlocks } from '../../../src/slack/blocks/check-blocks.ts';
import type { Message } from '../../../src/slack/blocks/message.ts';
import { plainSection, section } from '../../../src/slack/blocks/mrkdwn.ts';
import { silent } from '../../playground/bolt-apps.ts';
import { startStandInSlack } from '../../support/stand-in-slack.ts';

const chart: Chart = {
  kind: 'bar',
  title: 'Finished',
  unit: 'issues',
  categories: ['W29', 'W30'],
  series: [{ name: 'Finished', values: [3, 4] }],
  alt: 'Three, then four',
};
const native = nativeChart(chart);
const message: Message = {
  text: 'Seven issues',
  blocks: [section('*Seven issues*'), ...(native ? [native] : []), section('Since Monday')],
};
const untitledChart = nativeChart({ ...chart, title: '週' });
/** Its title has letters that no picture draws. */
const untitled: Message = { ...message, blocks: untitledChart ? [section('*Seven*'), untitledChart] : [] };

/** Pictures at a stand-in Slack, and what was asked of it. */
async function somePictures({ shownAfter = 0 } = {}) {
  const slack = await startStandInSlack();
  const web = new WebClient(slack.botToken, {
    slackApiUrl: slack.apiUrl,
    logger: silent,
    retryConfig: { retries: 0 },
  });
  const uploads = jest.spyOn(web.files, 'getUploadURLExternal');
  const info = web.files.info;
  let asked = 0;
  jest.spyOn(web.files, 'info').mockImplementation(async (given) => {
    asked += 1;
    const answer = await info.call(web.files, given);
    return asked > shownAfter ? answer : { ...answer, file: { ...answer.file, mimetype: '' } };
  });
  const clock = { now: 0 };
  const waited: number[] = [];
  const pictures = createPictures({
    web,
    apiUrl: slack.apiUrl,
    now: () => clock.now,
    wait: async (ms) => void waited.push(ms),
    log: pino({ level: 'silent' }),
  });
  return { slack, web, pictures, uploads, clock, waited };
}

test('a picture stands where the chart stood, with the chart in words for who does not see it', async () => {
  const { slack, web, pictures } = await somePictures();
  const drawn = await withPictures(message, pictures);
  expect(drawn.blocks.map(({ type }) => type)).toEqual(['section', 'image', 'section']);
  expect(drawn.blocks[1]).toMatchObject({ alt_text: 'Finished (issues): W29 3, W30 4' });
  expect(checkBlocks(drawn.blocks, 'message')).toEqual([]);
  await web.chat.postMessage({ channel: 'C0GENERAL', text: drawn.text, blocks: [...drawn.blocks] });
  await slack.stop();
});

test('the same chart is uploaded once an hour, also for two who ask at once', async () => {
  const { slack, pictures, uploads, clock } = await somePictures();
  const [one, other] = await Promise.all([
    pictures.draw(chart),
    pictures.draw({ ...chart, alt: 'In other words' }),
  ]);
  expect(one).toMatchObject({ type: 'image' });
  expect(other).toEqual({ ...one, alt_text: 'In other words' });
  expect(uploads).toHaveBeenCalledTimes(1);
  clock.now = millisecondsInHour;
  await pictures.draw(chart);
  expect(uploads).toHaveBeenCalledTimes(2);
  await slack.stop();
});

test('a picture is shown once Slack has looked into it', async () => {
  const { slack, pictures, waited } = await somePictures({ shownAfter: 2 });
  expect(await pictures.draw(chart)).not.toBeNull();
  expect(waited).toEqual([150, 300]);
  await slack.stop();
});

test('words stand there where Slack is not done in time, and the next one tries again', async () => {
  const { slack, pictures, uploads } = await somePictures({ shownAfter: 5 });
  expect((await withPictures(message, pictures)).blocks[1]).toEqual(
    plainSection('Finished (issues): W29 3, W30 4'),
  );
  expect(await pictures.draw(chart)).not.toBeNull();
  expect(uploads).toHaveBeenCalledTimes(2);
  await slack.stop();
});

test('words stand there where Slack takes no file, or letters cannot be drawn', async () => {
  const { slack, pictures, uploads } = await somePictures();
  uploads.mockRejectedValueOnce(new Error('missing_scope'));
  expect(await pictures.draw(chart)).toBeNull();
  expect((await withPictures(untitled, pictures)).blocks[1]).toEqual(
    plainSection('週 (issues): W29 3, W30 4'),
  );
  await slack.stop();
});

test('a Slack that refuses its own charts is asked again after an hour only', async () => {
  const { slack, web, pictures, clock } = await somePictures();
  const log = pino({ level: 'silent' });
  const seen: string[][] = [];
  const post = async ({ text, blocks }: Message) => {
    seen.push(blocks.map(({ type }) => type));
    const shown = blocks.map((block) =>
      block.type === 'data_visualization' ? { type: 'not_there_yet' } : block,
    );
    return web.chat.postMessage({ channel: 'C0GENERAL', text, blocks: shown });
  };
  await postMessage(message, post, { pictures, log });
  expect(seen).toEqual([
    ['section', 'data_visualization', 'section'],
    ['section', 'image', 'section'],
  ]);
  await postMessage(message, post, { pictures, log });
  expect(seen.slice(2)).toEqual([['section', 'image', 'section']]);
  clock.now = millisecondsInHour;
  await postMessage(message, post, { pictures, log });
  expect(seen[3]).toEqual(['section', 'data_visualization', 'section']);
  await slack.stop();
});

test('where a picture is refused as well, words are posted, and nothing is held against charts', async () => {
  const { slack, web, pictures } = await somePictures();
  const seen: string[][] = [];
  const post = async ({ text, blocks }: Message) => {
    seen.push(blocks.map(({ type }) => type));
    const shown = blocks.map((block) => (block.type === 'section' ? block : { type: 'not_there_yet' }));
    return web.chat.postMessage({ channel: 'C0GENERAL', text, blocks: shown });
  };
  await postMessage(message, post, { pictures, log: pino({ level: 'silent' }) });
  expect(seen.at(-1)).toEqual(['section', 'section', 'section']);
  expect(await pictures.refusals.get('')).toBeUndefined();
  await slack.stop();
});

test('what is no refusal of blocks is handed on, and nothing is posted again', async () => {
  const { slack, pictures } = await somePictures();
  let posts = 0;
  const post = async () => {
    posts += 1;
    throw new Error('no answer');
  };
  await expect(postMessage(message, post, { pictures, log: pino({ level: 'silent' }) })).rejects.toThrow(
    'no answer',
  );
  expect(posts).toBe(1);
  await slack.stop();
});
