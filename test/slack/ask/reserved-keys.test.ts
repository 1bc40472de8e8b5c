import { beforeAll, describe, expect, test } from '#jest';
import { fixture } from '../../support/fixture.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { startedOnce } from '../../support/started.ts';

describe('a project whose key is a word of JQL', () => {
  const place = startedOnce(() =>
    startDwellInSlack({ at: '2026-11-20T14:00:00.000Z', environment: { TRACKER: 'file' } }),
  );
  beforeAll(async () => {
    const files = ['cases/reserved-project-keys.issues.json', 'cases/four-statuses.json'].map(fixture);
    await place.dwell.types('import', ...files);
    // The first answer in a channel says whose time zone it has.
    await place.slack.answerTo('/tis WEB');
  });

  const answerTo = async (line: string) => (await place.slack.answerTo(`/tis ${line}`)).text;

  test.each([
    'KEY by assignee',
    'KEY median',
    'KEY last 30 days',
    'aging KEY in 24/7',
    'project KEY',
    'KEY in 24/7',
    'KEY october',
    'weekly KEY W45',
    'weekly KEY',
  ])('is asked about as any other: %s', async (line) => {
    const usual = await answerTo(line.replace('KEY', 'WEB'));
    for (const key of ['IN', 'ON', 'LIST']) {
      expect(await answerTo(line.replace('KEY', key))).toBe(usual.replaceAll('WEB', key));
    }
    expect(usual).toMatch(/WEB/);
  });

  test('is compared with another', async () => {
    expect(await answerTo('compare IN last 30 days with ON last 30 days')).toMatch(
      /^IN and ON are equally fast: median cycle time 2d · finished last 30 days\./,
    );
    expect(await answerTo('compare LIST with IN')).toMatch(/LIST/);
  });

  test('is found in a sentence by its capitals', async () => {
    expect(await answerTo('how long does it take in IN in total this year')).toContain('`/tis IN this year');
  });
});
