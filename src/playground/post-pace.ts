/** Tells how long to wait before a channel takes another message. */
export type PostPace = ReturnType<typeof createPostPace>;

/** One message a second and channel, after a burst; a null burst means no limit. */
export function createPostPace({ now, burst }: { now: () => number; burst: number | null }) {
  const freeAt = new Map<string, number>();
  return {
    /** Seconds to wait; 0 when the message is taken. */
    take(channel: string): number {
      if (burst === null) return 0;
      const time = now();
      const next = Math.max(freeAt.get(channel) ?? 0, time);
      if (next - time >= burst * 1_000) return Math.ceil((next - time - burst * 1_000 + 1_000) / 1_000);
      freeAt.set(channel, next + 1_000);
      return 0;
    },
  };
}
