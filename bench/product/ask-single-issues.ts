import { setTimeout as pause } from 'node:timers/promises';
import { ownJob, tellFound } from '../measure.ts';
import { askedSingles } from './asked.ts';

/** Asks for single issues at a steady rate. A process of its own, which nobody but the server keeps waiting. */
const { url, token, keys, everyMs } = askedSingles.parse(ownJob());

const ask = async (issueKey: string) => {
  const began = performance.now();
  const parameters = new URLSearchParams({ issueKey, columnsBy: 'statusDuration' });
  const response = await fetch(`${url}/rest/issue?${parameters}`, {
    headers: { Authorization: `TISJWT ${token}` },
  });
  const text = await response.text();
  const ms = performance.now() - began;
  return { ms, fault: response.ok ? null : `${issueKey} answered ${response.status}: ${text.slice(0, 300)}` };
};

// The first one waits for a connection, and for what it takes to make one.
await ask(keys[0] ?? '');
const asking: ReturnType<typeof ask>[] = [];
for (const key of keys) {
  asking.push(ask(key));
  await pause(everyMs);
}
for (const one of await Promise.all(asking)) tellFound(one);
