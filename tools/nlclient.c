// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <netlink/errno.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>

#include "diag.h"
#include "nlclient.h"

/* How often a list is asked for that changes all the time. */
#define TRIES	20

static void cannot_ask(int err)
{
	/* ENOENT: the family has gone; EPROTONOSUPPORT: its module is going. */
	if (err == -NLE_OBJ_NOTFOUND || err == -NLE_PROTO_MISMATCH)
		diag_no_module();
	else
		diag("cannot ask the kernel: %s", nl_geterror(err));
}

bool nlclient_open(struct nlclient *c)
{
	int err;

	c->sk = nl_socket_alloc();
	err = c->sk ? genl_connect(c->sk) : -NLE_NOMEM;
	if (err) {
		cannot_ask(err);
		nlclient_close(c);
		return false;
	}
	c->family = genl_ctrl_resolve(c->sk, POSIXTRACE_NL_FAMILY);
	if (c->family < 0) {
		diag_no_module();
		nlclient_close(c);
		return false;
	}
	return true;
}

void nlclient_close(struct nlclient *c)
{
	if (c->sk)
		nl_socket_free(c->sk);
	c->sk = NULL;
}

/* The sizes that the header promises; what is of another one is left out. */
static void parse_attr(const struct nlattr *a, struct nlstream *s)
{
	int type = nla_type(a), len = nla_len(a);

	if (type > POSIXTRACE_NL_A_MAX)
		return;
	if (type == POSIXTRACE_NL_A_NAME)
		nla_strlcpy(s->name, a, sizeof(s->name));
	else if (len == sizeof(__u64))
		s->value[type] = nla_get_u64(a);
	else if (len == sizeof(__u32))
		s->value[type] = nla_get_u32(a);
}

static void parse(struct nl_msg *msg, struct nlstream *s)
{
	struct genlmsghdr *head = nlmsg_data(nlmsg_hdr(msg));
	struct nlattr *a = genlmsg_attrdata(head, 0);
	int rest = genlmsg_attrlen(head, 0);

	memset(s, 0, sizeof(*s));
	for (; nla_ok(a, rest); a = nla_next(a, &rest))
		parse_attr(a, s);
}

static bool has_room(struct nlstreams *list)
{
	size_t room = list->room ? 2 * list->room : 64;
	struct nlstream *more;

	if (list->nr < list->room)
		return true;
	more = reallocarray(list->stream, room, sizeof(*more));
	if (!more)
		return false;
	list->stream = more;
	list->room = room;
	return true;
}

static int add(struct nl_msg *msg, void *arg)
{
	struct nlstreams *list = arg;

	if (!has_room(list))
		return -NLE_NOMEM;
	parse(msg, &list->stream[list->nr++]);
	return NL_OK;
}

static int ask(struct nlclient *c, struct nlstreams *list)
{
	int err;

	list->nr = 0;
	err = genl_send_simple(c->sk, c->family, POSIXTRACE_NL_GET_STREAMS,
			       POSIXTRACE_NL_VERSION, NLM_F_DUMP);
	return err < 0 ? err : nl_recvmsgs_default(c->sk);
}

bool nlclient_list(struct nlclient *c, struct nlstreams *list)
{
	int tries = TRIES, err;

	nl_socket_modify_cb(c->sk, NL_CB_VALID, NL_CB_CUSTOM, add, list);
	do
		err = ask(c, list);
	while (err == -NLE_DUMP_INTR && --tries);
	if (err >= 0 || err == -NLE_DUMP_INTR)
		return true;
	cannot_ask(err);
	return false;
}

void nlstreams_free(struct nlstreams *list)
{
	free(list->stream);
	memset(list, 0, sizeof(*list));
}

static void cannot_join(int err)
{
	if (err != -NLE_PERM) {
		diag("cannot listen: %s", nl_geterror(err));
		return;
	}
	diag("you may not listen to what happens to all users' streams");
	diag_hint("It takes CAP_SYS_ADMIN (as root, or by sudo). Your own streams:");
	diag_hint(TOOL_NAME " list, which takes no privilege.");
}

/*
 * The controller's group tells when the family goes. All is asked before
 * anything is joined: what happens would come among the answers.
 *
 * Return: 0, or an error of libnl.
 */
static int join(struct nlclient *c)
{
	int notify = genl_ctrl_resolve_grp(c->sk, "nlctrl", "notify");
	int life = genl_ctrl_resolve_grp(c->sk, POSIXTRACE_NL_FAMILY,
					 POSIXTRACE_NL_GROUP);

	if (notify < 0 || life < 0)
		return notify < 0 ? notify : life;
	return nl_socket_add_memberships(c->sk, notify, life, 0);
}

bool nlclient_join(struct nlclient *c, size_t room)
{
	int err = join(c);

	if (err >= 0 && room)
		err = nl_socket_set_buffer_size(c->sk, room, 0);
	if (err >= 0)
		err = nl_socket_set_nonblocking(c->sk);
	if (err < 0) {
		cannot_join(err);
		return false;
	}
	nl_socket_disable_seq_check(c->sk);
	return true;
}

int nlclient_fd(const struct nlclient *c)
{
	return nl_socket_get_fd(c->sk);
}

/**
 * struct hearing - who is told
 * @family: number of the family
 * @gone: it has gone
 * @tell: see nlclient_hear()
 * @arg: likewise
 */
struct hearing {
	int family;
	bool gone;
	void (*tell)(const struct nlstream *what, void *arg);
	void *arg;
};

/* What the controller tells about all families. */
static bool is_gone(struct nl_msg *msg, int family)
{
	struct nlmsghdr *head = nlmsg_hdr(msg);
	struct genlmsghdr *genl = nlmsg_data(head);
	struct nlattr *id;

	if (head->nlmsg_type != GENL_ID_CTRL ||
	    genl->cmd != CTRL_CMD_DELFAMILY)
		return false;
	id = nlmsg_find_attr(head, GENL_HDRLEN, CTRL_ATTR_FAMILY_ID);
	return id && nla_get_u16(id) == family;
}

static int heard(struct nl_msg *msg, void *arg)
{
	struct hearing *h = arg;
	struct nlstream what;

	if (nlmsg_hdr(msg)->nlmsg_type != h->family) {
		h->gone |= is_gone(msg, h->family);
		return NL_OK;
	}
	parse(msg, &what);
	if (h->tell)
		h->tell(&what, h->arg);
	return NL_OK;
}

int nlclient_hear(struct nlclient *c,
		  void (*tell)(const struct nlstream *what, void *arg),
		  void *arg)
{
	struct hearing h = { c->family, false, tell, arg };
	int err;

	nl_socket_modify_cb(c->sk, NL_CB_VALID, NL_CB_CUSTOM, heard, &h);
	err = nl_recvmsgs_default(c->sk);
	if (err >= 0 && !h.gone)
		return 0;
	if (h.gone) {
		diag_no_module();
		return ENODEV;
	}
	if (err == -NLE_AGAIN)
		return EAGAIN;
	/* What libnl makes of ENOBUFS. */
	if (err == -NLE_NOMEM)
		return ENOBUFS;
	diag("cannot listen: %s", nl_geterror(err));
	return EIO;
}
