import { createHash } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from '#jest';
import { suiteDwell } from '../../support/suite-dwell.ts';
import { anInvitation } from './an-invitation.ts';
import { tokenOf } from './credentials.ts';

const dwell = suiteDwell();
let ticket: string;
const carl = { account: 'U0CARL', name: 'Carl <b>"&' };
beforeAll(async () => {});
beforeEach(async () => {
  ticket = await anInvitation(dwell.dataDir, dwell.clock.now, carl);
});

const open = (given: string) => dwell.get('/link', { ticket: given }, {});
const accept = (form: Record<string, string>) => dwell.post('/link', form, {});
const style = (page: string) => page.split('<style>')[1]?.split('</style>')[0] ?? '';

/** What holds of every page, whatever it says. */
function expectSealed({ type, headers, text }: Awaited<ReturnType<typeof open>>): void {
  expect(type).toBe('text/html; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  const hash = createHash('sha256').update(style(text)).digest('base64');
  expect(headers.get('content-security-policy')).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  );
  expect(text).not.toMatch(/<script|(src|href)=| style="| on\w+="/);
}

test('the page names the account and asks for the token of its user, in a form', async () => {
  const page = await open(ticket);
  expect(page.status).toBe(200);
  expectSealed(page);
  expect(page.text).toContain('<strong>Carl &lt;b&gt;&quot;&amp;</strong> (U0CARL)');
  expect(page.text).toContain('<form method="post" action="link">');
  expect(page.text).toContain(`<input type="hidden" name="ticket" value="${ticket}">`);
  expect(page.text.match(/<input name="\w+" type="password"/g)).toEqual([
    '<input name="token" type="password"',
  ]);
  expect(page.text).toContain('<button>Link</button>');
});

test('a token links the account to its user, and the page says so', async () => {
  const token = await tokenOf(dwell, 'carl');
  const page = await accept({ ticket, token });
  expect(page.status).toBe(200);
  expectSealed(page);
  expect(page.text).toContain(
    '<strong>Carl &lt;b&gt;&quot;&amp;</strong> (U0CARL) is linked to <strong>Carl</strong> (carl) now.',
  );
  expect(page.text).not.toContain('You do not get the rights');
  expect(page.text).not.toContain(token);
});

test('a ticket that has linked an account leads to the page that says how to get another', async () => {
  const token = await tokenOf(dwell, 'carl');
  await accept({ ticket, token });
  await dwell.types('people', '--unlink', 'U0CARL');
  for (const page of [await open(ticket), await accept({ ticket, token })]) {
    expect(page.status).toBe(404);
    expectSealed(page);
    expect(page.text).toContain('it works once, for 15 minutes.');
  }
  expect((await dwell.types('people')).lines.join()).not.toContain('U0CARL');
});

test('an account that an admin has linked stays so, and the page says whom to ask', async () => {
  const token = await tokenOf(dwell, 'bob');
  await dwell.types('people', '--link', 'U0CARL', '--to', 'carl');
  const later = await anInvitation(dwell.dataDir, dwell.clock.now, carl);
  for (const given of [ticket, later]) {
    for (const page of [await open(given), await accept({ ticket: given, token })]) {
      expect(page.status).toBe(403);
      expectSealed(page);
      expect(page.text).toContain(
        'An admin (command line) has linked this account to carl; ask them, or another admin, to change that.',
      );
      expect(page.text).not.toContain('<form');
    }
  }
  await dwell.types('people', '--unlink', 'U0CARL');
});

test('an admin of the tracker is told when the token does not bring their rights along', async () => {
  const less = 'You do not get admin rights';
  expect((await accept({ ticket, token: await tokenOf(dwell, 'ada') })).text).toContain(less);
  const later = await anInvitation(dwell.dataDir, dwell.clock.now, carl);
  const page = await accept({ ticket: later, token: await tokenOf(dwell, 'ada', { admin: true }) });
  expect(page.text).toContain('is linked to <strong>Ada</strong> (ada) now.');
  expect(page.text).not.toContain(less);
});

describe('a token that is not valid', () => {
  const expectRefused = async (token: string, sentence: string) => {
    const page = await accept({ ticket, token });
    expect(page.status).toBe(403);
    expectSealed(page);
    expect(page.text).toContain(sentence);
    expect(page.text).toContain(`<input type="hidden" name="ticket" value="${ticket}">`);
    if (token !== '') expect(page.text).not.toContain(token);
  };
  const notHolding = 'This token is not valid';

  test('is told with a way out, and never repeated', async () => {
    await expectRefused('very-secret-text', notHolding);
    await expectRefused('', notHolding);
  });

  test('because it was switched off', async () => {
    const { lines } = await dwell.types('token', '--user', 'carl');
    const token = lines[0] ?? '';
    const id = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).jti;
    await dwell.types('tokens', '--off', id);
    await expectRefused(token, notHolding);
  });

  test('because its user is nobody the tracker knows', async () => {
    await expectRefused(
      await tokenOf(dwell, 'stranger'),
      'User with name &quot;stranger&quot; could not be found.',
    );
  });
});

test.each(['false', 'old'])('a %s ticket leads to a page that says how to get another', async (which) => {
  const given =
    which === 'false'
      ? 'nonsense'
      : await anInvitation(dwell.dataDir, dwell.clock.now - 900_001, { account: 'U1', name: 'Bob' });
  const token = await tokenOf(dwell, 'bob');
  for (const page of [await open(given), await accept({ ticket: given, token })]) {
    expect(page.status).toBe(404);
    expectSealed(page);
    expect(page.text).toContain('Ask Dwell in Slack again');
    expect(page.text).not.toContain(token);
  }
});

test('without a ticket the page says where it is opened from', async () => {
  const token = await tokenOf(dwell, 'bob');
  for (const page of [await dwell.get('/link', {}, {}), await open(' '), await accept({ token })]) {
    expect(page.status).toBe(404);
    expectSealed(page);
    expect(page.text).toContain('This page is opened with a link from Dwell in Slack');
    expect(page.text).not.toContain('<form');
    expect(page.text).not.toContain(token);
  }
});

test('a token in the address is refused without being repeated', async () => {
  const token = await tokenOf(dwell, 'carl');
  for (const name of ['token', 'TOKEN']) {
    const { status, json, text } = await dwell.post(`/link?${name}=${token}`, { ticket, token }, {});
    expect([status, json.messages]).toEqual([
      400,
      ['token cannot be in the address. Try: a field of the form.'],
    ]);
    expect(text).not.toContain(token);
  }
});

test('a secret given twice is refused without being repeated', async () => {
  const tokens = [await tokenOf(dwell, 'carl'), await tokenOf(dwell, 'bob')];
  const header = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams({ ticket });
  for (const token of tokens) body.append('token', token);
  const twice = await dwell.send('POST', '/link', header, body);
  expect([twice.status, twice.json.messages]).toEqual([400, ['token is given twice. Try: one value.']]);
  const tickets = await dwell.get(`/link?ticket=${ticket}&ticket=secret`);
  expect([tickets.status, tickets.json.messages]).toEqual([400, ['ticket is given twice. Try: one value.']]);
});
