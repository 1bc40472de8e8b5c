import { secondsInDay } from 'date-fns/constants';
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, test } from '#jest';
import { exportFile, jiraIssue } from '../../support/jira-export.ts';
import { renamedPeopleListed } from '../../support/renamed-people.ts';
import { suiteDwell } from '../../support/suite-dwell.ts';

const dwell = suiteDwell({ at: '2026-03-18T12:00:00Z' });

async function claimsOf(...args: string[]) {
  const { lines, code } = await dwell.types('token', ...args);
  expect([lines.length, code]).toEqual([1, 0]);
  return decodeJwt(lines[0] ?? '');
}

describe('token', () => {
  test('prints one token, for 90 days and without an admin’s rights unless asked for', async () => {
    const { sub, admin, iat = 0, exp } = await claimsOf('--user', 'ada');
    expect([sub, admin, iat, exp]).toEqual([
      'ada',
      false,
      Date.parse('2026-03-18T12:00:00Z') / 1000,
      iat + 90 * secondsInDay,
    ]);
  });

  test.each([
    ['30m', 1800],
    ['12h', 43_200],
    ['1d', secondsInDay],
    ['2w', 14 * secondsInDay],
    ['100y', 36_500 * secondsInDay],
  ])('lasts %s', async (expires, seconds) => {
    const { admin, iat = 0, exp } = await claimsOf('--user', 'ada', '--admin', '--expires', expires);
    expect([admin, exp]).toEqual([true, iat + seconds]);
  });

  test.each(['', '0d', '90', 'd', '-1d', '1.5d', '90 d', '101y', '9999999d', '90days', '1D'])(
    'cannot last "%s"',
    async (expires) => {
      await expect(dwell.types('token', '--user', 'ada', `--expires=${expires}`)).rejects.toMatchObject({
        reason: 'invalid-value',
        details: [
          `--expires '${expires}' is not known. Try: a number and m (minutes), h (hours), d (days), w (weeks) or y (years), such as 90d, up to 100y.`,
        ],
      });
    },
  );

  const usage = 'token --user NAME [--admin] [--expires TIME]';
  test.each([
    [
      ['--user', 'ada', '--expires', '-1d'],
      "--expires '-1d' is not known. Try: a number and m (minutes), h (hours), d (days), w (weeks) or y (years), such as 90d, up to 100y.",
    ],
    [['--user', '--admin'], `--user needs a value. Try: ${usage}.`],
    [['--user', '--admin', '--user', 'zz'], `--user needs a value. Try: ${usage}.`],
    [['--user', 'ada', '-x'], `Unknown option '-x'. Try: ${usage}.`],
    [['--user', 'ada', '--toString'], `Unknown option '--toString'. Try: ${usage}.`],
    [['--user', 'ada', '--', '--admin'], `Unexpected argument '--admin'. Try: ${usage}.`],
  ])('%j is refused in one sentence with what is allowed', async (args, detail) => {
    await expect(dwell.types('token', ...args)).rejects.toMatchObject({
      code: 'bad-request',
      details: [detail],
    });
  });

  test('takes a value that begins with a dash behind an equals sign', async () => {
    expect(await claimsOf('--user=-ada')).toMatchObject({ sub: '-ada' });
  });

  test.each([[['token']], [['token', '--user', ' ']]])('%j lacks the user', async (args) => {
    await expect(dwell.types(...args)).rejects.toMatchObject({
      details: ['--user is required: whose token is it? For example: token --user ada.'],
    });
  });
});

describe('a token for somebody of a Data Center', () => {
  const company = suiteDwell();
  beforeAll(async () => {
    await company.types(
      'import',
      exportFile([jiraIssue('DC-1').onDataCenter()]),
      exportFile(renamedPeopleListed),
    );
  });

  test.each([
    ['carl', 'JIRAUSER6'],
    ['Carl', 'JIRAUSER6'],
    ['JIRAUSER6', 'JIRAUSER6'],
    ['robert', 'bob'],
    ['JIRAUSER99999', 'JIRAUSER99999'],
    ['bi-tool', 'bi-tool'],
    ['Bob New', 'JIRAUSER99999'],
    ['robert old', 'bob'],
  ])('is, where %s is typed, for %s', async (name, sub) => {
    const { lines } = await company.types('token', '--user', name);
    expect(decodeJwt(lines[0] ?? '')).toMatchObject({ sub });
  });

  test.each([
    [[], 'It sees only what everyone can see; --admin sees everything.'],
    [['--admin'], 'As an admin it sees everything.'],
  ])('says beside it, with %j, when it is for nobody who is known', async (more, sees) => {
    company.beside.length = 0;
    const { lines } = await company.types('token', '--user', 'carll', ...more);
    expect(decodeJwt(lines[0] ?? '')).toMatchObject({ sub: 'carll' });
    await company.types('token', '--user', 'carl');
    expect(company.beside).toEqual([
      `'carll' is not a user in the imports, so the token is for a program of that name. ${sees} Find people: npx dwell people --find NAME.`,
    ]);
  });

  test.each(['bob', 'BOB'])('is refused where %s is the login of one and the id of another', async (name) => {
    await expect(company.types('token', '--user', name)).rejects.toMatchObject({
      code: 'bad-request',
      details: [
        `--user '${name}' is not clear: it may be Bob New (login bob, id JIRAUSER99999) or Robert Old (login robert, id bob). Try: JIRAUSER99999, robert.`,
      ],
    });
  });
});

describe('tokens', () => {
  test('lists what was issued without the tokens themselves, and switches one off and on', async () => {
    const {
      lines: [token = ''],
    } = await dwell.types('token', '--user', 'grace', '--admin', '--expires', '1d');
    const { jti = '' } = decodeJwt(token);
    const lineOf = async (...args: string[]) =>
      (await dwell.types('tokens', ...args)).lines.find((line) => line.includes(jti));
    expect(await lineOf()).toBe(
      `${jti}  on     grace (admin)  until 2026-03-19T12:00:00.000Z  since 2026-03-18T12:00:00.000Z`,
    );
    expect(await lineOf('--off', jti)).toBe(
      `${jti}  off    grace (admin)  until 2026-03-19T12:00:00.000Z  since 2026-03-18T12:00:00.000Z`,
    );
    expect((await dwell.get('/rest/statuses', {}, { Authorization: `TISJWT ${token}` })).status).toBe(401);
    expect(await lineOf('--on', jti)).toContain('  on     ');
    dwell.clock.now += secondsInDay * 1000;
    expect(await lineOf()).toContain(`${jti}  ended  grace`);
    const records = JSON.parse((await dwell.types('tokens', '--json')).lines.join(''));
    expect(records).toContainEqual(expect.objectContaining({ id: jti, active: true, usable: false }));
    dwell.clock.now -= secondsInDay * 1000;
    expect((await dwell.get('/rest/statuses', {}, { Authorization: `TISJWT ${token}` })).status).toBe(200);
    expect((await dwell.types('tokens')).lines.join()).not.toContain(token);
  });

  test('refuses an id that was never issued without repeating it, for it may be the token itself', async () => {
    const {
      lines: [token = ''],
    } = await dwell.types('token', '--user', 'ada');
    const refusal = dwell.types('tokens', '--off', token);
    await expect(refusal).rejects.toMatchObject({ code: 'not-found' });
    await expect(refusal).rejects.not.toThrow(token);
  });

  test('cannot switch off and on at once', async () => {
    await expect(dwell.types('tokens', '--off', 'a', '--on', 'b')).rejects.toMatchObject({
      details: ['--off and --on cannot be used together.'],
    });
  });
});
