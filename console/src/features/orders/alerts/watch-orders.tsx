import type { OrderEvent } from '@dukkan/sdk';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { setBadge, useLive } from '../../../platform/index.ts';
import { useAlertSettings } from './alert-settings.ts';
import { playSound } from './play-sound.ts';
import { alertWords } from './words.ts';

/** Orders that come within this time make one sound. */
const QUIET_MS = 3_000;

/** A sale at the till is complete when it is made; only orders that wait for the shop are new to it. */
const isNew = ({ type, order }: OrderEvent) =>
  type === 'order.created' && (order.status === 'received' || order.status === 'pending_payment');

/** Counts the orders that came since the list was last open, and reports each as the user has chosen. Takes no request: it hears the feed. */
export default function WatchOrders(): null {
  const t = useWords(alertWords);
  const { money } = useFormat();
  const navigate = useNavigate();
  const isListOpen = useLocation().pathname === '/orders';
  const [arrived, setArrived] = useState<ReadonlySet<string>>(new Set());
  const [{ sound, notice }] = useAlertSettings();
  const lastSoundMs = useRef(0);
  useLive((event) => {
    if (!isNew(event)) return;
    if (!isListOpen) setArrived((before) => new Set(before).add(event.order_id));
    void inOneTab(`new order ${event.order_id}`, () => {
      if (sound && performance.now() - lastSoundMs.current > QUIET_MS) {
        lastSoundMs.current = performance.now();
        void playSound().catch(() => {});
      }
      if (notice) showNotice(event);
    });
  });
  function showNotice({ order_id, order }: OrderEvent): void {
    if (!('Notification' in window) || Notification.permission !== 'granted') return;
    const total = money(order.amounts.total, order.amounts.currency);
    const shown = new Notification(t('newOrder', { code: order.external.code }), {
      body: order.customer.name === null ? total : `${order.customer.name} · ${total}`,
      tag: order_id,
    });
    shown.onclick = () => {
      window.focus();
      void navigate({ to: '/orders/$id', params: { id: order_id } });
    };
  }
  useEffect(() => {
    if (isListOpen) setArrived(new Set());
  }, [isListOpen]);
  useEffect(() => {
    setBadge('/orders', arrived.size);
    return () => setBadge('/orders', 0);
  }, [arrived]);
  return null;
}

/** Every tab hears the event. The first one that takes the lock reports it. */
async function inOneTab(name: string, report: () => void): Promise<void> {
  const locks = navigator.locks as LockManager | undefined;
  if (locks === undefined) return report();
  await locks.request(`dukkan ${name}`, { ifAvailable: true }, async (lock) => {
    if (lock === null) return;
    report();
    // Held until the other tabs have tried.
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  });
}
