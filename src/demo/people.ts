import { randomBytes } from 'node:crypto';
import type { Actor } from '../modules/audit/index.ts';
import {
  addMember,
  createOrganization,
  createUser,
  issueApiKey,
  issueSessionToken,
  type Sighting,
  seedLoginSessions,
  writeSightings,
} from '../modules/identity/index.ts';
import { isConflictOn, type Tx } from '../platform/database/index.ts';
import { newId } from '../platform/ids.ts';
import { monthsAgo } from './billing-days.ts';
import type { DemoLogin, DemoLogins, DemoOrganization } from './logins.ts';

type Shop = { key: string; nameEn: string; nameAr: string; vatNumber: string; address: string };

const SHOPS: [Shop, Shop] = [
  {
    key: 'najd',
    nameEn: 'Najd Pharmacies',
    nameAr: 'صيدليات نجد',
    vatNumber: '310122393500003',
    address: 'شارع العليا، الرياض 12211',
  },
  {
    key: 'tihama',
    nameEn: 'Tihama Grocers',
    nameAr: 'بقالات تهامة',
    vatNumber: '310175397400003',
    address: 'شارع فلسطين، جدة 23436',
  },
];
const SUSPENDED: Shop = { key: 'asir', nameEn: 'Asir Sweets', nameAr: 'حلويات عسير', vatNumber: '', address: '' };

/** A session token and an API key of the first owner that are there to be revoked. */
export const SPARE_NAME = 'Old laptop';
/** Longer than the year of orders. Their fees begin with the month after: see billing.ts. */
const JOINED_MONTHS_AGO = 14;
const SUSPENDED_JOINED_MONTHS_AGO = 6;
/** Owner, member, viewer, branch user, and the one without analytics. */
const SEEN_MINUTES_AGO = [12, 4, 1_450, 95, 7_300];

/** Devices on which the first owner is signed in, the one used last first. Addresses are of the ranges for documentation. */
const OTHER_DEVICES = [
  {
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Safari/604.1',
    ip: '203.0.113.24',
    days: 21,
    seenMinutesAgo: 48,
  },
  {
    userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0',
    ip: '198.51.100.17',
    days: 12,
    seenMinutesAgo: 5_900,
  },
];

function deviceSession(device: (typeof OTHER_DEVICES)[number], now: Date) {
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
  return {
    id: newId(),
    client: { userAgent: device.userAgent, ip: device.ip },
    created: daysAgo(device.days),
    refreshedAt: daysAgo(device.seenMinutesAgo / 1440),
    expiresAt: daysAgo(device.seenMinutesAgo / 1440 - 30),
  };
}

export type DemoPeople = {
  logins: DemoLogins;
  /** Accounts still to be confined to a branch once there are branches. */
  branchUsers: { organizationId: string; userId: string }[];
  /** Actors of audit entries, in the order of the organizations. */
  actors: DemoActors[];
  /** When members were last seen. */
  sightings: Sighting[];
  /** The operator of the service. */
  operator: Actor;
};

export type DemoActors = { owner: Actor; member: Actor; branchUser: Actor };

/** Organizations with everyone the demo promises: five accounts each, one owner across both, one that is to be suspended. */
export async function createPeople(tx: Tx, now: Date): Promise<DemoPeople> {
  const branchUsers: DemoPeople['branchUsers'] = [];
  const actors: DemoActors[] = [];
  const sightings: Sighting[] = [];
  const joined = monthsAgo(now, JOINED_MONTHS_AGO);
  const monthEnd = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
  const organization = ({ key, ...shop }: Shop, created: Date) =>
    createOrganization(tx, { ...shop, periodEnd: monthEnd, now: created });

  const [firstShop, secondShop] = SHOPS;
  const firstId = await organization(firstShop, joined);
  const secondId = await organization(secondShop, joined);

  async function staff(shop: Shop, id: string): Promise<DemoOrganization> {
    const person = (name: string) => account(tx, `${name}@${shop.key}.example`, joined);
    // Together: their passwords are hashed side by side, which is most of the time that a first start takes.
    const [owner, member, viewer, branchUser, noAnalytics] = await Promise.all([
      person('owner'),
      person('member'),
      person('viewer'),
      person('branch'),
      person('no-analytics'),
    ]);
    await addMember(tx, { organizationId: id, userId: owner.userId, role: 'owner', now: joined });
    await addMember(tx, { organizationId: id, userId: member.userId, role: 'member', now: joined });
    await addMember(tx, { organizationId: id, userId: viewer.userId, role: 'viewer', now: joined });
    await addMember(tx, {
      organizationId: id,
      userId: noAnalytics.userId,
      role: 'member',
      grantsWithheld: ['read:Analytics'],
      now: joined,
    });
    // Until its branch exists the account has no membership at all, never an unconfined one.
    branchUsers.push({ organizationId: id, userId: branchUser.userId });
    actors.push({ owner: asActor(owner), member: asActor(member), branchUser: asActor(branchUser) });
    // The owner of the first shop belongs to both; the second membership must be the younger one.
    if (shop === firstShop) {
      const later = new Date(joined.getTime() + 1);
      await addMember(tx, { organizationId: secondId, userId: owner.userId, role: 'owner', now: later });
      sightings.push({ organizationId: secondId, userId: owner.userId, at: new Date(now.getTime() - 2 * 86_400_000) });
    }
    for (const [index, { userId }] of [owner, member, viewer, branchUser, noAnalytics].entries()) {
      const at = new Date(now.getTime() - (SEEN_MINUTES_AGO[index] ?? 0) * 60_000);
      sightings.push({ organizationId: id, userId, at });
    }
    const { apiKey } = await issueApiKey(tx, { organizationId: id, name: 'Demo', createdBy: owner.userId, now });
    if (shop === firstShop) await createSpares(owner.userId, id);
    return {
      id,
      name_en: shop.nameEn,
      name_ar: shop.nameAr,
      api_key: apiKey,
      owner: await signIn(tx, owner, id, now),
      member: await signIn(tx, member, id, now),
      viewer: await signIn(tx, viewer, id, now),
      branch_user: { ...(await signIn(tx, branchUser, id, now)), branch_iv_id: '' },
      no_analytics: await signIn(tx, noAnalytics, id, now),
    };
  }

  /** What the examples of the reference revoke and remove. */
  async function createSpares(ownerId: string, organizationId: string): Promise<void> {
    const spare = { organizationId, name: SPARE_NAME, now: joined };
    await issueSessionToken(tx, { ...spare, userId: ownerId, expiresInDays: 3650 });
    await issueApiKey(tx, { ...spare, createdBy: ownerId });
    await seedLoginSessions(
      tx,
      ownerId,
      OTHER_DEVICES.map((device) => deviceSession(device, now)),
    );
    const { userId } = await account(tx, `former@${firstShop.key}.example`, joined);
    await addMember(tx, { organizationId, userId, role: 'viewer', now: joined });
    sightings.push({ organizationId, userId, at: new Date(now.getTime() - 40 * 86_400_000) });
  }

  const first = await staff(firstShop, firstId);
  const second = await staff(secondShop, secondId);
  const suspendedSince = monthsAgo(now, SUSPENDED_JOINED_MONTHS_AGO);
  const suspendedId = await organization(SUSPENDED, suspendedSince);
  const suspendedOwner = await account(tx, `owner@${SUSPENDED.key}.example`, suspendedSince);
  await addMember(tx, {
    organizationId: suspendedId,
    userId: suspendedOwner.userId,
    role: 'owner',
    now: suspendedSince,
  });
  const operator = await account(tx, 'operator@dukkan.example', joined, 'Commercial');

  const logins: DemoLogins = {
    base_url: '',
    organizations: [first, second],
    suspended: { id: suspendedId, owner: await signIn(tx, suspendedOwner, suspendedId, now) },
    commercial: await signIn(tx, operator, null, now),
  };
  return { logins, branchUsers, actors, sightings, operator: { ...asActor(operator), kind: 'operator' } };
}

/** Once all members exist. */
export async function seedSightings(tx: Tx, { sightings }: DemoPeople): Promise<void> {
  await writeSightings(tx, sightings, 0);
}

function asActor({ userId, email }: Account): Actor {
  return { kind: 'user', id: userId, name: email, ip: '', requestId: '' };
}

type Account = { userId: string; email: string; password: string };

async function account(
  tx: Tx,
  email: string,
  now: Date,
  operatorType: 'Merchant' | 'Commercial' = 'Merchant',
): Promise<Account> {
  const password = randomBytes(12).toString('base64url');
  try {
    return { userId: await createUser(tx, { email, password, operatorType, now }), email, password };
  } catch (error) {
    if (!isConflictOn(error, 'users_email')) throw error;
    throw new Error(`The demo needs the address ${email}, and there is an account with it: nothing was loaded`);
  }
}

async function signIn(tx: Tx, person: Account, organizationId: string | null, now: Date): Promise<DemoLogin> {
  const { token } = await issueSessionToken(tx, {
    userId: person.userId,
    organizationId,
    name: 'Demo',
    expiresInDays: 3650,
    now,
  });
  return { email: person.email, password: person.password, token };
}
