/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A client of the netlink family, without a library: what linux/posixtrace_netlink.h
 * says is enough to write one.
 */
#ifndef NETLINK_TEST_H
#define NETLINK_TEST_H

#include "abi_test.h"

#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/posixtrace_netlink.h>

#ifndef SOL_NETLINK
#define SOL_NETLINK	270
#endif

/* A part of a dump is no larger than the largest buffer ever given to recv(). */
#define NL_PART		4096

/* A socket, with the numbers of the family and of its group. */
struct nl {
	int fd;
	__u16 family;
	__u32 group;
	__u32 seq;
};

/* A message of the family. */
struct nl_message {
	__u8 command;
	__u64 has;		/* bit n: attribute n is there */
	__u64 value[POSIXTRACE_NL_A_MAX + 1];
	char name[256];
};

/* A request with room for one attribute. */
struct nl_request {
	struct nlmsghdr nl;
	struct genlmsghdr genl;
	struct nlattr attr;
	char data[64];
};

static inline struct nl_request nl_request_of(struct nl *nl, __u16 type,
					      __u8 command, __u16 flags)
{
	return (struct nl_request){
		.nl = {
			.nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN),
			.nlmsg_type = type,
			.nlmsg_flags = NLM_F_REQUEST | flags,
			.nlmsg_seq = ++nl->seq,
		},
		.genl = { .cmd = command, .version = 1 },
	};
}

static inline void nl_add(struct nl_request *r, __u16 type, const void *data,
			  __u16 len)
{
	r->attr.nla_len = NLA_HDRLEN + len;
	r->attr.nla_type = type;
	memcpy(r->data, data, len);
	r->nl.nlmsg_len += NLA_ALIGN(r->attr.nla_len);
}

static inline void nl_send(struct nl *nl, const struct nl_request *r)
{
	must_be(send(nl->fd, r, r->nl.nlmsg_len, 0) == (ssize_t)r->nl.nlmsg_len);
}

static inline __u64 attr_number(const struct nlattr *a)
{
	const void *data = (const char *)a + NLA_HDRLEN;
	__u64 u64 = 0;
	__u32 u32 = 0;

	if (a->nla_len == NLA_HDRLEN + sizeof(u64)) {
		memcpy(&u64, data, sizeof(u64));
		return u64;
	}
	if (a->nla_len == NLA_HDRLEN + sizeof(u32))
		memcpy(&u32, data, sizeof(u32));
	return u32;
}

static inline void attr_name(const struct nlattr *a, char *name, size_t size)
{
	size_t len = a->nla_len - NLA_HDRLEN;

	must_be(len && len <= size);
	memcpy(name, (const char *)a + NLA_HDRLEN, len);
	must_be(strnlen(name, len) == len - 1);
}

static inline const struct nlattr *attr_next(const struct nlattr *a)
{
	return (const void *)((const char *)a + NLA_ALIGN(a->nla_len));
}

/* For all attributes between @from and @to. */
#define for_each_attr(a, from, to)					\
	for (a = (const void *)(from);					\
	     (const char *)a + NLA_HDRLEN <= (const char *)(to);	\
	     a = attr_next(a))

static inline void nl_parse(const struct nlmsghdr *h, struct nl_message *m)
{
	const struct genlmsghdr *g = NLMSG_DATA(h);
	const struct nlattr *a;

	memset(m, 0, sizeof(*m));
	m->command = g->cmd;
	for_each_attr(a, (const char *)g + GENL_HDRLEN,
		      (const char *)h + h->nlmsg_len) {
		must_be(a->nla_type <= POSIXTRACE_NL_A_MAX);
		m->has |= 1ULL << a->nla_type;
		m->value[a->nla_type] = attr_number(a);
		if (a->nla_type == POSIXTRACE_NL_A_NAME)
			attr_name(a, m->name, sizeof(m->name));
	}
}

static inline int nl_error(const struct nlmsghdr *h)
{
	const struct nlmsgerr *e = NLMSG_DATA(h);

	return -e->error;
}

/* The number of the group in the controller's nested list of groups. */
static inline __u32 group_in(const struct nlattr *groups)
{
	const char *end = (const char *)groups + groups->nla_len;
	const struct nlattr *group, *a;
	bool found = false;
	__u32 id = 0;

	for_each_attr(group, (const char *)groups + NLA_HDRLEN, end) {
		for_each_attr(a, (const char *)group + NLA_HDRLEN,
			      (const char *)group + group->nla_len) {
			if (a->nla_type == CTRL_ATTR_MCAST_GRP_ID)
				id = attr_number(a);
			else
				found |= !strcmp((const char *)a + NLA_HDRLEN,
						 POSIXTRACE_NL_GROUP);
		}
	}
	return found ? id : 0;
}

static inline void nl_resolve(struct nl *nl)
{
	struct nl_request r = nl_request_of(nl, GENL_ID_CTRL,
					    CTRL_CMD_GETFAMILY, 0);
	union {
		struct nlmsghdr h;
		char room[NL_PART];
	} answer;
	const struct nlattr *a;

	nl_add(&r, CTRL_ATTR_FAMILY_NAME, POSIXTRACE_NL_FAMILY,
	       sizeof(POSIXTRACE_NL_FAMILY));
	nl_send(nl, &r);
	must_be(recv(nl->fd, &answer, sizeof(answer), 0) > 0);
	must_be(answer.h.nlmsg_type == GENL_ID_CTRL);
	for_each_attr(a, (char *)NLMSG_DATA(&answer.h) + GENL_HDRLEN,
		      (char *)&answer + answer.h.nlmsg_len) {
		if (a->nla_type == CTRL_ATTR_FAMILY_ID) {
			__u16 id;

			memcpy(&id, (const char *)a + NLA_HDRLEN, sizeof(id));
			nl->family = id;
		}
		if ((a->nla_type & NLA_TYPE_MASK) == CTRL_ATTR_MCAST_GROUPS)
			nl->group = group_in(a);
	}
	must_be(nl->family && nl->group);
}

static inline struct nl nl_open(void)
{
	struct nl nl = {
		.fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC,
			     NETLINK_GENERIC),
	};

	must_be(nl.fd >= 0);
	nl_resolve(&nl);
	return nl;
}

/* 0 or an error number. */
static inline int nl_join(const struct nl *nl)
{
	return setsockopt(nl->fd, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP,
			  &nl->group, sizeof(nl->group)) ? errno : 0;
}

/* What a dump tells apart from the streams. */
struct nl_dump {
	int err;		/* error number of the answer */
	int parts;
	bool interrupted;	/* NLM_F_DUMP_INTR was set */
	void (*between)(void *arg);	/* called after the first part */
	void *arg;
	size_t nr;
};

/* Take the messages of a part. Return: false at the end. */
static inline bool nl_part(struct nl *nl, const char *buf, ssize_t len,
			   struct nl_dump *dump, struct nl_message *list,
			   size_t max)
{
	const struct nlmsghdr *h = (const void *)buf;

	for (; NLMSG_OK(h, len); h = NLMSG_NEXT(h, len)) {
		must_be(h->nlmsg_seq == nl->seq);
		dump->interrupted |= h->nlmsg_flags & NLM_F_DUMP_INTR;
		if (h->nlmsg_type == NLMSG_DONE)
			return false;
		if (h->nlmsg_type == NLMSG_ERROR) {
			dump->err = nl_error(h);
			return false;
		}
		must_be(h->nlmsg_type == nl->family && dump->nr < max);
		nl_parse(h, &list[dump->nr++]);
	}
	return true;
}

/* Read the answer to a request, in small parts. */
static inline void nl_answer(struct nl *nl, struct nl_dump *dump,
			     struct nl_message *list, size_t max)
{
	char buf[NL_PART] __attribute__((aligned(8)));
	ssize_t len;

	do {
		len = recv(nl->fd, buf, sizeof(buf), MSG_TRUNC);
		must_be(len > 0 && len <= (ssize_t)sizeof(buf));
		if (!dump->parts++ && dump->between)
			dump->between(dump->arg);
	} while (nl_part(nl, buf, len, dump, list, max));
}

static inline void nl_dump(struct nl *nl, struct nl_dump *dump,
			   struct nl_message *list, size_t max)
{
	struct nl_request r = nl_request_of(nl, nl->family,
					    POSIXTRACE_NL_GET_STREAMS,
					    NLM_F_DUMP);

	nl_send(nl, &r);
	nl_answer(nl, dump, list, max);
}

/* The error number with which a request is answered; an ACK is asked for. */
static inline int nl_refused(struct nl *nl, struct nl_request *r)
{
	struct nl_dump dump = { 0 };
	static struct nl_message list[2048];

	r->nl.nlmsg_flags |= NLM_F_ACK;
	nl_send(nl, r);
	nl_answer(nl, &dump, list, 2048);
	return dump.err;
}

/* Wait for a message of the group; 0 or an error number. */
static inline int nl_next(struct nl *nl, struct nl_message *m)
{
	struct pollfd fd = { .fd = nl->fd, .events = POLLIN };
	char buf[NL_PART] __attribute__((aligned(8)));

	if (poll(&fd, 1, WAIT_LIMIT * 1000) != 1)
		return ETIMEDOUT;
	if (recv(nl->fd, buf, sizeof(buf), 0) <= 0)
		return errno;
	nl_parse((const void *)buf, m);
	return 0;
}

/* The next message about stream @number. */
static inline int nl_next_of(struct nl *nl, __u64 number, struct nl_message *m)
{
	int err;

	do
		err = nl_next(nl, m);
	while (!err && m->value[POSIXTRACE_NL_A_STREAM] != number);
	return err;
}

static inline const struct nl_message *nl_find(const struct nl_message *list,
					       size_t nr, __u64 number)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (list[i].value[POSIXTRACE_NL_A_STREAM] == number)
			return &list[i];
	return NULL;
}

#endif /* NETLINK_TEST_H */
