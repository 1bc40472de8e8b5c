import { setTimeout as pause } from 'node:timers/promises';
import { ownJob, tellFound } from '../measure.ts';
import { askServer } from './ask-server.ts';
import { askedSingles } from './asked.ts';

/** Asks for single issues at a steady rate. A process of its own, which nobody but the server keeps waiting. */
const { url, token, keys, everyMs } = askedSingles.parse(ownJob());

const ask = async (issueKey: string) => {
  const request = ['single issue', '/rest/issue', { issueKey, columnsBy: 'statusDuration' }] as const;
  const { ms, status, text } = await askServer(url, token, request);
  return { ms, fault: status < 400 ? null : `${issueKey} answered ${status}: ${text}` };
};

// The first one waits for a connection, and for what it takes to make one.
await ask(keys[0] ?? '');
const asking: ReturnType<typeof ask>[] = [];
for (const key of keys) {
  asking.push(ask(key));
  await pause(everyMs);
}
for (const one of await Promise.all(asking)) tellFound(one);
