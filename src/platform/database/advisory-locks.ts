/**
 * Every advisory lock of the service, so that no two uses share a number by accident. Locks of the first kind are held by one process
 * at a time; those of the second take a tenant's hash as their second key.
 */
export const ADVISORY_LOCKS = {
  migrations: 7_201_001,
  demo: 7_201_002,
  weeklyParts: 7_201_003,
  publisher: 7_201_004,
  billingSums: 7_201_005,
  orderCounts: 7_201_006,
  layout: 7_201_007,
} as const;

export const TENANT_LOCKS = {
  skuMatrix: 7_201,
  skuClashes: 7_202,
  webhookClaims: 7_203,
  webhookSubscriptions: 7_204,
  catalogGroups: 7_205,
  appInstalls: 7_206,
  stagingInstalls: 7_207,
  demandUploads: 7_220,
} as const;
