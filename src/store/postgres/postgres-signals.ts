import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Client } from 'pg';
import type { Engine } from '../sql/engine.ts';
import type { Signals, SignalTopic } from '../store.ts';
import { newClient } from './postgres-dialect.ts';

/** The channel of NOTIFY that all processes of a database listen to. */
const CHANNEL = 'dwell';

/** The shortest time (ms) between two signals of one topic of a tenant. */
const PAUSE_MS = 100;

/** The pause (ms) before a connection that has ended is opened again. */
const REOPEN_MS = 1_000;

/** Words between processes of one database, and their end. */
interface PostgresSignals {
  readonly forTenant: (tenant: string) => Signals;
  close(): Promise<void>;
}

/** Opens the signals of a database; it is listened to once something wants to hear them. */
export function openSignals(url: string, engine: Engine): PostgresSignals {
  const self = randomUUID();
  const listeners = new Map<string, Set<() => void>>();
  /** By topic, the word that is to be sent once its pause is over. */
  const waiting = new Map<string, NodeJS.Timeout>();
  let client: Client | null = null;
  let reopening: NodeJS.Timeout | null = null;
  let isClosed = false;

  function call(topic: string): void {
    for (const listen of listeners.get(topic) ?? []) listen();
  }

  async function listen(): Promise<void> {
    if (client !== null || isClosed) return;
    const opened = newClient(url);
    client = opened;
    const onEnd = () => {
      if (client !== opened) return;
      client = null;
      opened.end().catch(() => {});
      if (!isClosed) reopening = setTimeout(() => void listen(), REOPEN_MS).unref();
    };
    opened.on('error', onEnd);
    opened.on('end', onEnd);
    opened.on('notification', ({ payload = '' }) => {
      const [sender, topic] = payload.split(' ', 2);
      const name = payload.slice(`${sender} `.length);
      if (sender !== self && topic !== undefined) call(name);
    });
    try {
      await opened.connect();
      await opened.query(`LISTEN ${CHANNEL}`);
      // Signals of the time without a connection are lost.
      for (const topic of listeners.keys()) call(topic);
    } catch {
      onEnd();
    }
  }

  function notify(topic: string): void {
    // It is a hint: who needs it finds out by itself a little later.
    engine.db
      .selectNoFrom(sql`pg_notify(${CHANNEL}, ${`${self} ${topic}`})`.as('sent'))
      .execute()
      .catch(() => {});
  }

  return {
    forTenant: (tenant) => {
      const full = (topic: SignalTopic) => `${topic} ${tenant}`;
      return {
        send(topic) {
          const name = full(topic);
          if (isClosed || waiting.has(name)) return;
          waiting.set(
            name,
            setTimeout(() => {
              waiting.delete(name);
              notify(name);
            }, PAUSE_MS),
          );
        },
        on(topic, listener) {
          const name = full(topic);
          const all = listeners.get(name) ?? new Set();
          listeners.set(name, all.add(listener));
          void listen();
          return () => all.delete(listener);
        },
      };
    },
    async close() {
      isClosed = true;
      for (const timer of waiting.values()) clearTimeout(timer);
      if (reopening !== null) clearTimeout(reopening);
      await client?.end().catch(() => {});
    },
  };
}
