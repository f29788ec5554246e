import { readStored, useScope, writeStored } from '../../../platform/index.ts';
import { createStore, useStore } from '../../../platform/store.ts';

/** Both are off until a person turns them on. */
export type AlertSettings = { sound: boolean; notice: boolean };

const OFF: AlertSettings = { sound: false, notice: false };
/** By user: two people at one computer choose for themselves. */
const chosen = createStore<Readonly<Record<string, AlertSettings>>>({});

export function useAlertSettings(): [AlertSettings, (change: Partial<AlertSettings>) => void] {
  const { userId } = useScope();
  const settings = useStore(chosen)[userId] ?? read(userId);
  const change = (part: Partial<AlertSettings>) => {
    const next = { ...settings, ...part };
    writeStored(nameOf(userId), next.sound || next.notice ? JSON.stringify(next) : null);
    chosen.set({ ...chosen.get(), [userId]: next });
  };
  return [settings, change];
}

const nameOf = (userId: string) => `orders.alerts.${userId}`;

function read(userId: string): AlertSettings {
  try {
    return { ...OFF, ...(JSON.parse(readStored(nameOf(userId)) ?? '{}') as Partial<AlertSettings>) };
  } catch {
    return OFF;
  }
}
