import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fixedPort } from './processes.ts';

/** A Redis that can go away and come back. */
export interface Redis {
  readonly url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the Redis of this machine, which stores nothing on the disk; null where it has none. */
export async function startRedis(): Promise<Redis | null> {
  const port = await fixedPort();
  let server: ChildProcess | null = null;

  async function start(): Promise<void> {
    const words = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    server = spawn('redis-server', words, { stdio: 'ignore' });
    const started = once(server, 'spawn');
    await started;
    while (!(await isOpen(port))) await pause(50);
  }

  async function stop(): Promise<void> {
    if (server === null || server.exitCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    await ended;
  }

  try {
    await start();
  } catch {
    return null;
  }
  return { url: `redis://127.0.0.1:${port}`, start, stop };
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
