import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import express from 'express';
import { pino } from 'pino';
import { expect, test } from '#jest';
import type { ReportingApi } from '../../src/api/reporting/reporting-api.ts';
import { createAnswerTurns } from '../../src/concurrency/answer-turns.ts';
import { yieldToOthers } from '../../src/concurrency/cooperative-yield.ts';
import { createMcpRouter, type McpHttpParts } from '../../src/mcp/http-door.ts';
import { principalIn } from '../../src/model/request.ts';

/** A door whose reports come from here; `ask` calls a tool over it, `logged` is what its log says. */
async function doorOver(report: ReportingApi['report']) {
  const logged: string[] = [];
  const log = pino({}, { write: (line: string) => void logged.push(line) });
  const reporting = {
    reportTypes: [{ id: 'statusDuration', title: 'Status Duration', shape: 'issue' }],
    timeZoneOf: async () => 'UTC',
    report,
  };
  const parts = {
    ...{ reporting, now: () => 0, timeZone: 'UTC', version: '1', baseUrl: 'http://localhost' },
    settings: { defaultCalendar: async () => 'normalHours' },
    turns: createAnswerTurns({ inAll: 16, perPrincipal: 3, waitMs: 10_000 }),
    limits: { arrive: async () => {}, admit: async () => {} },
    admission: { enter: () => {}, leave: () => {} },
    tokens: { provenBy: () => null },
    principalOf: async () => principalIn('default', 'ada'),
  } as unknown as McpHttpParts;
  const server = createServer(express().use('/mcp', createMcpRouter(parts, log)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const params = { name: 'time_in_status', arguments: { issueKeys: ['WEB-1'] } };
  return {
    logged,
    ask: (signal?: AbortSignal) =>
      fetch(`http://127.0.0.1:${port}/mcp`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
        ...(signal === undefined ? {} : { signal }),
      }),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

test('what nobody foresaw is a reference to the assistant, and its cause is in the log', async () => {
  const door = await doorOver(async () => {
    throw new Error('a secret');
  });
  const { result } = JSON.parse(await (await door.ask()).text());
  expect(result.isError).toBe(true);
  const [{ text }] = result.content;
  const [reference = ''] = /[\w-]{36}/.exec(text) ?? [];
  expect(JSON.stringify(result)).not.toContain('secret');
  expect(door.logged).toHaveLength(1);
  for (const said of [reference, 'a secret', 'time_in_status']) expect(door.logged[0]).toContain(said);
  await door.close();
});

test('a request that is abandoned stops its work, and is no failure', async () => {
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<unknown>()];
  const door = await doorOver(async () => {
    begun.resolve();
    try {
      for (;;) await yieldToOthers();
    } catch (error) {
      ended.resolve(error);
      throw error;
    }
  });
  const leaving = new AbortController();
  const answer = door.ask(leaving.signal).catch(() => 'gone');
  await begun.promise;
  leaving.abort();
  expect(await answer).toBe('gone');
  expect(await ended.promise).toMatchObject({ name: 'AbortError' });
  await door.close();
  expect(door.logged).toEqual([]);
});

test('the room is loaded with its first assistant', () => {
  for (const file of ['compose/create-doors.ts', 'compose/build-dwell.ts']) {
    const text = readFileSync(fileURLToPath(new URL(`../../src/${file}`, import.meta.url)), 'utf8');
    expect(text).toContain("import('../mcp/");
    expect(text.match(/^import (?!type ).*(?:\/mcp\/|modelcontextprotocol).*$/gm)).toBeNull();
  }
});
