import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { WebClient } from '@slack/web-api';
import { afterEach, describe, expect, jest, test } from '#jest';
import { uploadFile } from '../../src/slack/exports/upload-file.ts';
import { silent } from '../playground/bolt-apps.ts';
import { aProvenance } from '../support/a-provenance.ts';
import { startStandInSlack } from '../support/stand-in-slack.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

const path = join(temporaryFolder(), 'file');
writeFileSync(path, 'secret');
const file = { path, bytes: 6, fileName: 'a.csv', mediaType: 'text/csv', provenance: aProvenance() };

/** A Slack that wants the bytes at an address. */
function slackThatNames(address: string): WebClient {
  const web = new WebClient('xoxb-any', { logger: silent });
  jest
    .spyOn(web.files, 'getUploadURLExternal')
    .mockResolvedValue({ ok: true, upload_url: address, file_id: 'F1' });
  return web;
}

describe('only hosts of Slack are given the file', () => {
  test.each([
    ['https://files.slack.com/upload/v1/abc', true],
    ['https://files.slack-gov.com/upload/v1/abc', true],
    ['https://slack.com/upload', true],
    ['http://files.slack.com/upload', false],
    ['https://evil.com/upload', false],
    ['https://slack.com.evil.com/upload', false],
    ['https://notslack.com/upload', false],
    ['https://slackXcom/upload', false],
    ['https://files.slack.com@evil.com/upload', false],
    ['https://evil.com/files.slack.com', false],
    ['file:///files.slack.com', false],
    ['no address', false],
    ['', false],
  ])('%s', async (address, isSlack) => {
    const fetched = jest.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('OK'));
    const uploaded = uploadFile(slackThatNames(address), file, undefined);
    if (isSlack) expect(await uploaded).toBe('F1');
    else await expect(uploaded).rejects.toMatchObject({ code: 'upload_address' });
    expect(fetched.mock.calls.map(([url]) => url)).toEqual(isSlack ? [address] : []);
  });
});

test('what stands in for Slack is given the file at its own address only', async () => {
  const slack = await startStandInSlack();
  const web = new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl, logger: silent });
  await expect(uploadFile(web, file, 'http://127.0.0.1:9/api/')).rejects.toMatchObject({
    code: 'upload_address',
  });
  expect(await uploadFile(web, file, slack.apiUrl)).toMatch(/^F/);
  await slack.stop();
});

test.each([307, 308, 302])(
  'an answer %i that leads elsewhere is a refusal, and not followed',
  async (status) => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      request.resume();
      request.on('end', () => response.writeHead(status, { location: '/elsewhere' }).end());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    await expect(
      uploadFile(slackThatNames(`${origin}/upload`), file, `${origin}/api/`),
    ).rejects.toMatchObject({
      code: `upload_${status}`,
    });
    expect(asked).toEqual(['/upload']);
    server.closeAllConnections();
    server.close();
  },
);
